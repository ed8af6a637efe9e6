import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";

import type { CallProgress, Journal, JournalEntry } from "../../../dispatch/index.js";
import { messageOf } from "../../../protocol/index.js";
import { download } from "../../drawing/download.js";
import { afterFrame } from "../../drawing/drawing-pace.js";
import { callStanding } from "../../state/text/call-text.js";
import { formatClock, formatCount, formatElapsed } from "../../state/text/format.js";
import {
  isFiltering,
  isRunning,
  NO_FILTER,
  TRACE_NAMESPACES,
  TRACE_STATUSES,
  traceRuns,
  type TraceFilter,
  type TraceRow,
  type TraceRun,
} from "../../state/shelf/trace.js";
import "../task/call-line.js";
import { ListPart } from "../base/list-part.js";
import { ViewElement } from "../base/view-element.js";

/** Entries that are shown; the export has all. */
const SHOWN = 300;

/** Calls that are known here, the newest ones: what is shown is put together of all of them. */
const KNOWN = 1000;

/** Milliseconds between two drawings while calls come by the hundred. */
const PACE = 100;

/** How many times what a drawing took the page has for other work before the next one: the calls come through it. */
const OTHER_WORK = 4;

/** Milliseconds between two looks at the clock while something runs. */
const TICK = 250;
/** Levels that are indented. */
const DEEPEST = 5;

const statusNames = {
  all: "Any status",
  running: "Running",
  done: "Done",
  failed: "Failed",
  asked: "Asked about",
  unknown: "Unknown",
} as const;
const namespaceNames = {
  all: "All kinds",
  tools: "Tools",
  skills: "Skills",
  artifacts: "Artifacts",
  deps: "Packages",
  runs: "Runs",
} as const;
const callers = { code: "code", agent: "agent", page: "page", tool: "tool", client: "client" } as const;

/** The session whose calls are shown. */
export interface TracedSession {
  open(): Promise<{ readonly journal: Pick<Journal, "list" | "exportJsonLines"> }>;
  onCall(listener: (entry: JournalEntry) => void): () => void;
  onCallProgress(listener: (progress: CallProgress) => void): () => void;
}

/** Every call, the newest run first, those of earlier visits included. */
export class TracePanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: { readonly session: TracedSession };
  readonly #entries = new Map<string, JournalEntry>();
  /** How far calls under way have come. */
  readonly #progress = new Map<string, CallProgress>();
  readonly #part = new ListPart<TraceRow>(this, { step: SHOWN, together: 10 });
  #filter = NO_FILTER;
  /** How many calls the filter lets through, said once. */
  #found = "";
  #clock: ReturnType<typeof setInterval> | undefined;
  #problem = "";
  #reading = true;
  #isDue = false;
  #pause = PACE;
  #stop: () => void = () => undefined;
  #stopProgress: () => void = () => undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.app.session.onCall(this.#note);
    this.#stopProgress = this.app.session.onCallProgress(this.#noteProgress);
    void this.#read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#stopProgress();
    this.#keepTime(false);
  }

  override render(): TemplateResult {
    const all = [...this.#entries.values()];
    const wanted = traceRuns(all, this.#filter, Date.now());
    const runs = newestRows(wanted, this.#part.of(wanted.flatMap(({ rows }) => rows)).length);
    this.#keepTime(all.some(isRunning));
    return html`<div class="row">
        <button type="button" class="btn" ?disabled=${all.length === 0} @click=${() => void this.#export()}>
          Export as JSON Lines
        </button>
        <span class="hint">${this.#reading ? "Reading the journal…" : ""}</span>
      </div>
      ${this.#problem === "" ? nothing : html`<p class="notice">${this.#problem}</p>`}
      ${all.length === 0 && !this.#reading ? html`<p class="hint">Every call that code makes is written down here, before it is made.</p>` : nothing}
      ${all.length === 0 ? nothing : this.#filterFields()}
      <p class="hint" role="status">${this.#found}</p>
      <div class="trace" @keydown=${this.#key}>
        ${repeat(
          runs,
          ({ key }) => key,
          (run) =>
            html`<div
              role="group"
              aria-label=${`Run of ${callers[run.caller]}, ${formatClock(new Date(run.startedAt))}`}
            >
              <p class="run-head">
                <span>${formatClock(new Date(run.startedAt))}</span> <span>${callers[run.caller]}</span>
                ${run.span === null ? nothing : html`<span class="span">${formatElapsed(run.span)}</span>`}
              </p>
              ${repeat(
                run.rows,
                ({ entry }) => entry.id,
                (row) => traceRow(row, this.#progress.get(row.entry.id)),
              )}
            </div>`,
        )}
      </div>
      ${countRows(runs) >= SHOWN ? html`<p class="hint">The newest ${SHOWN}; the export has all.</p>` : nothing}`;
  }

  #filterFields(): TemplateResult {
    const { text, status, namespace } = this.#filter;
    return html`<form
      class="trace-filter"
      role="search"
      aria-label="Calls"
      @submit=${(event: Event) => event.preventDefault()}
    >
      <input
        type="search"
        aria-label="Text of the call"
        placeholder="Filter"
        .value=${text}
        @input=${({ target }: InputEvent) => this.#want({ text: (target as HTMLInputElement).value })}
      />
      ${choice("Status", { values: TRACE_STATUSES, chosen: status, names: statusNames, choose: (value) => this.#want({ status: value }) })}
      ${choice("Kind", {
        values: TRACE_NAMESPACES,
        chosen: namespace,
        names: namespaceNames,
        choose: (value) => this.#want({ namespace: value }),
      })}
    </form>`;
  }

  #want(change: Partial<TraceFilter>): void {
    this.#filter = { ...this.#filter, ...change };
    const all = [...this.#entries.values()];
    const wanted = traceRuns(all, this.#filter, Date.now()).flatMap(({ rows }) =>
      rows.filter(({ isWanted }) => isWanted),
    );
    // Said when the filter changes, not with every call that comes.
    this.#found = isFiltering(this.#filter) ? `${formatCount(wanted.length, "call")} of ${String(all.length)}` : "";
    this.requestUpdate();
  }

  /** While something runs its bar grows. */
  #keepTime(runs: boolean): void {
    if (runs) this.#clock ??= setInterval(() => this.#drawSoon(), TICK);
    else {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  /** Up and down go from call to call. */
  readonly #key = (event: KeyboardEvent): void => {
    const calls = [...this.querySelectorAll<HTMLElement>(".trace .call")];
    const at = calls.findIndex((call) => call === event.target);
    if (at < 0) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(at + 1, calls.length - 1),
      ArrowUp: Math.max(at - 1, 0),
      Home: 0,
      End: calls.length - 1,
    };
    const next = calls[moves[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  readonly #note = (entry: JournalEntry): void => {
    this.#entries.set(entry.id, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= KNOWN) break;
      this.#entries.delete(oldest);
    }
    if (entry.outcome.kind !== "pending") this.#progress.delete(entry.id);
    this.#drawSoon();
  };

  readonly #noteProgress = (progress: CallProgress): void => {
    this.#progress.set(progress.callId, progress);
    this.#drawSoon();
  };

  #drawSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => void this.#drawNow(), this.#pause);
  }

  async #drawNow(): Promise<void> {
    this.#isDue = false;
    const began = performance.now();
    this.requestUpdate();
    await this.updateComplete;
    await afterFrame();
    this.#pause = Math.max(PACE, OTHER_WORK * (performance.now() - began));
  }

  async #read(): Promise<void> {
    try {
      const session = await this.app.session.open();
      const known = [...this.#entries];
      this.#entries.clear();
      for (const entry of await session.journal.list()) this.#entries.set(entry.id, entry);
      for (const [id, entry] of known) this.#entries.set(id, entry);
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.#reading = false;
    this.requestUpdate();
  }

  async #export(): Promise<void> {
    try {
      const session = await this.app.session.open();
      download("journal.jsonl", await session.journal.exportJsonLines());
    } catch (error) {
      this.#problem = messageOf(error);
      this.requestUpdate();
    }
  }
}
customElements.define("vitrine-app-trace", TracePanel);

function traceRow({ entry, depth, isWanted, bar }: TraceRow, progress: CallProgress | undefined): TemplateResult {
  const { kind } = callStanding(entry);
  return html`<div
    class="trace-row ${isWanted ? "" : "beside"}"
    style=${styleMap({ "--depth": String(Math.min(depth, DEEPEST)) })}
  >
    ${depth === 0 ? nothing : html`<span class="visually-hidden">Level ${depth + 1}:</span>`}
    <vitrine-app-call .entry=${entry} .progress=${progress}></vitrine-app-call>
    ${
      bar === null
        ? nothing
        : html`<span class="bar" aria-hidden="true"
            ><span
              class=${kind}
              style=${styleMap({ "--start": bar.start.toFixed(4), "--length": bar.length.toFixed(4) })}
            ></span
          ></span>`
    }
  </div>`;
}

interface Choice<Name extends string> {
  readonly values: readonly Name[];
  readonly chosen: Name;
  readonly names: Readonly<Record<Name, string>>;
  readonly choose: (value: Name) => void;
}

function choice<Name extends string>(label: string, { values, chosen, names, choose }: Choice<Name>): TemplateResult {
  return html`<select
    aria-label=${label}
    @change=${({ target }: Event) => {
      const value = values[(target as HTMLSelectElement).selectedIndex];
      if (value !== undefined) choose(value);
    }}
  >
    ${values.map((value) => html`<option ?selected=${value === chosen}>${names[value]}</option>`)}
  </select>`;
}

/** So many rows, of the newest runs and in each the newest. */
function newestRows(runs: readonly TraceRun[], limit: number): TraceRun[] {
  let left = limit;
  const shown: TraceRun[] = [];
  for (const run of runs) {
    if (left <= 0) break;
    shown.push({ ...run, rows: run.rows.slice(-left) });
    left -= run.rows.length;
  }
  return shown;
}

function countRows(runs: readonly TraceRun[]): number {
  return runs.reduce((sum, { rows }) => sum + rows.length, 0);
}
