import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import type { JournalEntry } from "../../dispatch/index.js";
import { download } from "../drawing/download.js";
import type { AppState } from "../state/app-state.js";
import { formatClock } from "../state/format.js";
import "./call-line.js";
import { ViewElement } from "./view-element.js";

/** Entries that are shown; the export has all. */
const SHOWN = 300;

const callers = { code: "code", agent: "agent", page: "page", tool: "tool" } as const;

/** Every call, the newest run first, those of earlier visits included. */
export class TracePanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  readonly #entries = new Map<string, JournalEntry>();
  #problem = "";
  #reading = true;
  #stop: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.app.session.onCall(this.#note);
    void this.#read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  override render(): TemplateResult {
    const all = [...this.#entries.values()];
    const newest = newestRunFirst(all.slice(-SHOWN));
    return html`<div class="row">
        <button type="button" class="btn" ?disabled=${all.length === 0} @click=${() => void this.#export()}>
          Export as JSON Lines
        </button>
        <span class="hint">${this.#reading ? "Reading the journal…" : ""}</span>
      </div>
      ${this.#problem === "" ? nothing : html`<p class="notice">${this.#problem}</p>`}
      ${all.length === 0 && !this.#reading ? html`<p class="hint">Every call that code makes is written down here, before it is made.</p>` : nothing}
      <div class="trace">
        ${repeat(
          newest,
          ({ id }) => id,
          (entry, index) => {
            const above = newest[index - 1];
            const changes = above?.runId !== entry.runId;
            return html`${
                changes
                  ? html`<p class="run-head">
                      <span>${formatClock(new Date(entry.startedAt))}</span> <span>${callers[entry.caller]}</span>
                    </p>`
                  : nothing
              }<vitrine-call .entry=${entry} ?nested=${entry.parent !== null}></vitrine-call>`;
          },
        )}
      </div>
      ${all.length > SHOWN ? html`<p class="hint">The newest ${SHOWN} of ${all.length}; the export has all.</p>` : nothing}`;
  }

  readonly #note = (entry: JournalEntry): void => {
    this.#entries.set(entry.id, entry);
    this.requestUpdate();
  };

  async #read(): Promise<void> {
    try {
      const session = await this.app.session.open();
      const known = [...this.#entries];
      this.#entries.clear();
      for (const entry of await session.journal.list()) this.#entries.set(entry.id, entry);
      for (const [id, entry] of known) this.#entries.set(id, entry);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#reading = false;
    this.requestUpdate();
  }

  async #export(): Promise<void> {
    try {
      const session = await this.app.session.open();
      download("journal.jsonl", await session.journal.exportJsonLines());
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      this.requestUpdate();
    }
  }
}
customElements.define("vitrine-trace", TracePanel);

/** The runs newest first, the calls of each in the order in which they began. */
function newestRunFirst(entries: readonly JournalEntry[]): JournalEntry[] {
  const runs = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const run = runs.get(entry.runId);
    if (run === undefined) runs.set(entry.runId, [entry]);
    else run.push(entry);
  }
  return [...runs.values()].reverse().flat();
}
