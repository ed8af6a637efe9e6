import { html, nothing, type TemplateResult } from "lit";

import type { CallProgress, JournalEntry } from "../../../dispatch/index.js";
import { attemptText, callStanding, callText, progressText } from "../../state/text/call-text.js";
import { formatElapsed } from "../../state/text/format.js";
import "../content/json-tree.js";
import { define, ViewElement } from "../base/view-element.js";

/** One call: a line, and on click what went in and what came out. */
export class CallLine extends ViewElement {
  static override properties = {
    entry: { attribute: false },
    progress: { attribute: false },
    nested: { type: Boolean },
    waits: { type: Boolean },
    notReplayed: { type: Boolean, attribute: "not-replayed" },
  };
  declare entry: JournalEntry | undefined;
  /** How far it has come, while it is under way and says so. */
  declare progress: CallProgress | undefined;
  /** Made in the course of another call. */
  declare nested: boolean;
  /** It waits for the user's word. */
  declare waits: boolean;
  /** The replay that shows it was stopped before its end. */
  declare notReplayed: boolean;
  #open = false;

  constructor() {
    super();
    this.nested = false;
    this.waits = false;
    this.notReplayed = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { entry, progress } = this;
    if (entry === undefined) return nothing;
    const { mark, word, kind } = callStanding(entry, this);
    const { outcome } = entry;
    return html`<button
        type="button"
        class="call ${this.nested ? "nested" : ""}"
        aria-expanded=${this.#open}
        @click=${() => {
          this.#open = !this.#open;
          this.requestUpdate();
        }}
      >
        <span class="mark ${kind}" aria-hidden="true">${mark}</span><span class="visually-hidden">${word}: </span>
        ${attemptText(entry) === "" ? nothing : html`<span class="course">${attemptText(entry)}</span>`}
        <code>${callText(entry)}</code>
        <span class="ms"
          >${"elapsed" in outcome ? formatElapsed(outcome.elapsed) : progress === undefined ? word : progressText(progress)}</span
        >
      </button>
      ${this.#open ? details(entry, this.notReplayed) : nothing}`;
  }
}
define("vitrine-app-call", CallLine);

function details({ arguments: args, outcome, course, approval }: JournalEntry, notReplayed: boolean): TemplateResult {
  return html`<div class="call-details">
    ${
      Object.keys(args).length === 0
        ? nothing
        : html`<p class="caption">Arguments</p>
            <vitrine-app-json-tree .value=${args} .open=${1}></vitrine-app-json-tree>`
    }
    ${
      course?.arguments === undefined
        ? nothing
        : html`<p class="caption">Called with, after the page's middleware</p>
            <vitrine-app-json-tree .value=${course.arguments} .open=${1}></vitrine-app-json-tree>`
    }
    ${attemptNotes(course, approval).map((note) => html`<p>${note}</p>`)}
    ${
      outcome.kind === "ok"
        ? html`<p class="caption">Result</p>
            <vitrine-app-json-tree .value=${outcome.summary} .open=${1}></vitrine-app-json-tree>`
        : nothing
    }
    ${
      outcome.kind === "error"
        ? html`<p class="caption">Failed</p>
            <p class="bad">${outcome.name}: ${outcome.message}</p>`
        : nothing
    }
    ${outcome.kind === "unknown" ? html`<p>The page was closed while this call was under way. It may have taken effect.</p>` : nothing}
    ${notReplayed ? html`<p>The replay was stopped before this call ended. Nothing was called.</p>` : nothing}
  </div>`;
}

function attemptNotes(course: JournalEntry["course"], approval: JournalEntry["approval"]): string[] {
  const { queue, cached, attempts, failures = [] } = course ?? {};
  const notes: string[] = [];
  if (approval === "allowed") notes.push("A person was asked, and allowed it.");
  if (approval === "denied") notes.push("It was to be asked about, and was refused.");
  if (queue?.kind === "waiting") notes.push("It waits until one of the calls at work has ended.");
  if (queue?.kind === "admitted") notes.push(`It waited ${formatElapsed(queue.waited)} for other calls to end.`);
  if (cached !== undefined) {
    notes.push(`The result is that of an earlier call, ${formatElapsed(cached)} old; nothing was called.`);
  }
  if (attempts !== undefined) notes.push(`It was tried ${String(attempts)} times.`);
  return [...notes, ...failures.map((failure) => `Failed: ${failure}`)];
}
