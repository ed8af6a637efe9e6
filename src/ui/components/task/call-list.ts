import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { JournalEntry } from "../../../dispatch/index.js";
import { formatCount } from "../../state/text/format.js";
import type { Wanted } from "../../state/questions/wanted.js";
import type { CallContents } from "../../state/task/call-list.js";
import type { TaskCalls, TaskProgram, TaskView } from "../../state/task/task-view.js";
import "./call-line.js";
import { ListPart } from "../base/list-part.js";
import { ViewElement } from "../base/view-element.js";

/** The calls that a step, or a program, has made, each with what goes on in its course. */
export class CallListView extends ViewElement {
  static override properties = {
    calls: { attribute: false },
    version: { type: Number },
    waiting: { attribute: false },
    replayed: { type: Boolean },
  };
  declare calls: TaskCalls | undefined;
  declare version: number;
  /** What waits for the user's word. */
  declare waiting: Wanted | undefined;
  declare replayed: boolean;
  /** Beside those that are shown first. */
  readonly #asked = new ListPart<JournalEntry>(this, { first: 0, step: 100, together: 5 });

  constructor() {
    super();
    this.version = 0;
    this.replayed = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { calls } = this;
    if (calls === undefined || (calls.entries.size === 0 && calls.contents.size === 0)) return nothing;
    const { entries, contents } = calls;
    const all = [...entries.values()];
    const drawn = new Set([...calls.first, ...this.#asked.of(all)]);
    const shown = all.filter((entry) => drawn.has(entry));
    const rest = entries.size - shown.length;
    // Most calls have none. The elements come to life once they are loaded.
    if (contents.size > 0) void import("./nested-cards.js");
    const strays = [...contents].filter(([id]) => !entries.has(id));
    return html`<div class="calls">
      ${
        // A call that fails late comes in between: what is below it keeps its elements, and what was unfolded in them.
        repeat(
          shown,
          ({ id }) => id,
          (entry) =>
            html`<vitrine-app-call
                data-call=${entry.id}
                .entry=${entry}
                ?nested=${entry.parent !== null && entries.has(entry.parent)}
                ?waits=${entry.id === this.waiting?.callId}
                ?not-replayed=${calls.notReplayed.has(entry.id)}
              ></vitrine-app-call
              >${this.#contents(contents.get(entry.id))}`,
        )
      }
      ${strays.map(([, each]) => this.#contents(each))}
      ${
        rest > 0
          ? html`<button type="button" class="quiet-link more-calls" @click=${() => void this.#asked.showMore()}>
              ${formatCount(rest, "more call")}
            </button>`
          : nothing
      }
    </div>`;
  }

  #contents(contents: CallContents<TaskView, TaskProgram> | undefined): TemplateResult | typeof nothing {
    if (contents === undefined) return nothing;
    const { waiting, replayed } = this;
    return html`${contents.tasks.map(
      (view) =>
        html`<vitrine-app-agent
          .view=${view}
          .version=${view.version}
          .waiting=${waiting}
          ?replayed=${replayed}
        ></vitrine-app-agent>`,
    )}${contents.programs.map(
      (program) =>
        html`<vitrine-app-program
          .program=${program}
          .version=${program.version}
          .waiting=${waiting}
          ?replayed=${replayed}
        ></vitrine-app-program>`,
    )}${contents.batches.map((batch) => html`<vitrine-app-batch .batch=${batch}></vitrine-app-batch>`)}`;
  }
}
customElements.define("vitrine-app-calls", CallListView);
