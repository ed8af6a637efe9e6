import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

import type { ProgramFault } from "../../../agent/index.js";
import { highlightedPython } from "../../drawing/highlight.js";
import { cutText } from "../../state/text/text-ends.js";
import type { Wanted } from "../../state/questions/wanted.js";
import { formatCount, formatElapsed } from "../../state/text/format.js";
import type { TaskAttempt, TaskProgram } from "../../state/task/task-view.js";
import { ViewElement } from "../base/view-element.js";
import { contractSlots, slotCount } from "./contract-slots.js";

const STATES: Readonly<
  Record<TaskProgram["state"], { readonly mark: string; readonly kind: string; readonly word: string }>
> = {
  running: { mark: "·", kind: "running", word: "Running" },
  success: { mark: "✓", kind: "done", word: "Done" },
  partial: { mark: "×", kind: "failed", word: "Done in part" },
  error: { mark: "×", kind: "failed", word: "Failed" },
  interrupted: { mark: "?", kind: "unknown", word: "Interrupted" },
};

/** A program that fulfils a contract, below the call that asked for it: the slots as they fill, and what was written. */
export class ProgramCard extends ViewElement {
  static override properties = {
    program: { attribute: false },
    version: { type: Number },
    waiting: { attribute: false },
    replayed: { type: Boolean },
  };
  declare program: TaskProgram | undefined;
  declare version: number;
  /** What waits for the user's word. */
  declare waiting: Wanted | undefined;
  declare replayed: boolean;

  constructor() {
    super();
    this.version = 0;
    this.replayed = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { program } = this;
    if (program === undefined) return nothing;
    const { name, instruction, model, slots, attempts, fault, warnings, leftOut, isRefused } = program;
    const { mark, kind, word } = STATES[program.state];
    return html`<section class="program" aria-label=${`Program: ${name}`}>
      <p class="program-head">
        <span class="mark ${kind}" aria-hidden="true">${mark}</span><b>${name}</b>
        <span class="state">${program.active ? program.doing : isRefused ? "The contract was refused" : word}</span>
        ${
          isRefused
            ? nothing
            : html`<span class="hint"
                >${slotCount(slots)}${model === null ? "" : ` · written by ${model === "recorded" ? "the recorded model" : model}`}</span
              >`
        }
      </p>
      ${instruction === "" ? nothing : html`<p class="hint instruction">${instruction}</p>`}
      ${contractSlots(slots, "Slots of the contract, all of them required")}
      ${attempts.map((attempt) => this.#attempt(program, attempt))}
      ${program.state === "error" && attempts.at(-1)?.fault?.error !== fault?.error ? faultText(fault) : nothing}
      ${warnings.map((warning) => html`<p class="notice">${warning}</p>`)}
      ${leftOut.calls === 0 ? nothing : html`<p class="hint">${formatCount(leftOut.calls, "more call")} not shown</p>`}
      ${leftOut.sentences === 0 ? nothing : html`<p class="hint">${formatCount(leftOut.sentences, "more sentence")} not shown</p>`}
    </section>`;
  }

  protected override updated(): void {
    // Of what is being written the end is of interest.
    const writing = this.querySelector(".attempt.writing pre.code");
    if (writing !== null) writing.scrollTop = writing.scrollHeight;
  }

  #attempt(program: TaskProgram, attempt: TaskAttempt): TemplateResult {
    const { number, code, story, notices, calls, mended, fault, state } = attempt;
    const unfolded = (attempt.isUnfolded ??= program.active);
    const again = number > 2 ? ` (${String(number)})` : "";
    const title = number === 1 ? "The program" : `The program, mended${again}`;
    return html`<details
      class="attempt ${state}"
      ?open=${live(unfolded)}
      @toggle=${({ currentTarget }: Event) => {
        if (!(currentTarget instanceof HTMLDetailsElement)) return;
        if (attempt.isUnfolded === currentTarget.open) return;
        attempt.isUnfolded = currentTarget.open;
        this.requestUpdate();
      }}
    >
      <summary>${title} <span class="hint">${attemptFacts(attempt)}</span></summary>
      ${
        unfolded
          ? html`${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
              ${code === null ? nothing : html`<pre class="code small" tabindex="0" ${highlightedPython(code)}></pre>`}
              ${calls.entries.size === 0 ? nothing : html`<p class="caption">What it calls</p>`}
              <vitrine-app-calls
                .calls=${calls}
                .version=${program.version}
                .waiting=${this.waiting}
                ?replayed=${this.replayed}
              ></vitrine-app-calls>
              ${
                story.length === 0
                  ? nothing
                  : html`<p class="caption">What it says of its work</p>
                      <p class="story">${story.join(" ")}</p>`
              }
              ${mended === null ? faultText(fault) : nothing}`
          : nothing
      }
      ${
        mended === null
          ? nothing
          : html`<div class="mended">
              <p><span class="caption">The model was asked for another program:</span></p>
              ${faultText(mended.fault)}
              ${contractSlots(
                mended.slots.filter(({ state: slot }) => slot !== "filled"),
                number === 1 ? "What the first program did not fill" : `What the mended program${again} did not fill`,
              )}
            </div>`
      }
    </details>`;
  }
}
customElements.define("vitrine-app-program", ProgramCard);

/** `24 lines · written in 1.2 s · ran 0.4 s`. */
function attemptFacts({ code, writingTime, runningTime, state, fault }: TaskAttempt): string {
  return [
    code === null ? "" : formatCount(code.trimEnd().split("\n").length, "line"),
    state === "writing" ? "being written" : writingTime === null ? "" : `written in ${formatElapsed(writingTime)}`,
    state === "running" ? "runs" : runningTime === null ? "" : `ran ${formatElapsed(runningTime)}`,
    fault === null ? "" : "failed",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function faultText(fault: ProgramFault | null): TemplateResult | typeof nothing {
  if (fault === null) return nothing;
  const { error, description, details } = fault;
  return html`<p class="bad">${error}${description === "" ? "" : `: ${description}`}</p>
    ${details === "" ? nothing : html`<pre class="out bad" tabindex="0">${cutText(details)}</pre>`}`;
}
