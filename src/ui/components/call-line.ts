import { html, nothing, type TemplateResult } from "lit";

import type { JournalEntry } from "../../dispatch/index.js";
import { callStanding, callText } from "../state/call-text.js";
import { formatElapsed } from "../state/format.js";
import "./json-tree.js";
import { ViewElement } from "./view-element.js";

/** One call: a line, and on click what went in and what came out. */
export class CallLine extends ViewElement {
  static override properties = { entry: { attribute: false }, nested: { type: Boolean }, waits: { type: Boolean } };
  declare entry: JournalEntry | undefined;
  /** Made in the course of another call. */
  declare nested: boolean;
  /** It waits for the user's word. */
  declare waits: boolean;
  #open = false;

  constructor() {
    super();
    this.nested = false;
    this.waits = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { entry } = this;
    if (entry === undefined) return nothing;
    const { mark, word, kind } = callStanding(entry, this.waits);
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
        <code>${callText(entry)}</code>
        <span class="ms">${"elapsed" in outcome ? formatElapsed(outcome.elapsed) : word}</span>
      </button>
      ${this.#open ? details(entry) : nothing}`;
  }
}
customElements.define("vitrine-call", CallLine);

function details({ arguments: args, outcome }: JournalEntry): TemplateResult {
  return html`<div class="call-details">
    ${
      Object.keys(args).length === 0
        ? nothing
        : html`<p class="caption">Arguments</p>
            <vitrine-json-tree .value=${args} .open=${1}></vitrine-json-tree>`
    }
    ${
      outcome.kind === "ok"
        ? html`<p class="caption">Result</p>
            <vitrine-json-tree .value=${outcome.summary} .open=${1}></vitrine-json-tree>`
        : nothing
    }
    ${
      outcome.kind === "error"
        ? html`<p class="caption">Failed</p>
            <p class="bad">${outcome.name}: ${outcome.message}</p>`
        : nothing
    }
    ${outcome.kind === "unknown" ? html`<p>The page was closed while this call was under way. It may have taken effect.</p>` : nothing}
  </div>`;
}
