import { html, nothing, type TemplateResult } from "lit";

import { highlightPython } from "../drawing/highlight.js";
import { formatElapsed } from "../state/format.js";
import type { PendingApproval } from "../state/approvals.js";
import { splitReply, type StepView } from "../state/task-view.js";
import "./approval-card.js";
import "./call-line.js";
import "./elapsed-time.js";
import "./markdown-view.js";
import "./output-view.js";
import { ViewElement } from "./view-element.js";

/** Calls of one step that are shown before someone asks for more. */
const FIRST_CALLS = 12;

/** A step: thought, code, calls and output, in that order. */
export class StepCard extends ViewElement {
  static override properties = {
    step: { attribute: false },
    version: { type: Number },
    live: { type: Boolean },
    last: { type: Boolean },
    replayed: { type: Boolean },
    stop: { attribute: false },
    approval: { attribute: false },
  };
  declare step: StepView | undefined;
  declare version: number;
  /** It is the newest of a task that still runs. */
  declare live: boolean;
  declare last: boolean;
  /** Its events come as they were saved; nothing happens. */
  declare replayed: boolean;
  declare stop: () => void;
  /** What its code waits for. */
  declare approval: PendingApproval | undefined;
  #allCalls = false;

  constructor() {
    super();
    this.version = 0;
    this.live = false;
    this.last = false;
    this.replayed = false;
    this.stop = () => undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { step } = this;
    if (step === undefined) return nothing;
    // The model failed before it said anything; the task says why.
    if (step.state === "ended" && step.reply === "" && step.notices.length === 0) return nothing;
    const isJson = step.agent === "react" && /^\s*(?:```\w*\s*)?[{[]/.test(step.reply);
    const { thought, code } = isJson ? { thought: "", code: null } : splitReply(step.reply);
    const shown = step.agent === "react" ? null : (step.code ?? code);
    return html`<article class="step ${this.live ? "now" : ""}" aria-label=${`Step ${String(step.number)}`}>
      <div class="step-side">
        <div class="num" aria-hidden="true">${step.number}</div>
        ${this.last ? nothing : html`<div class="rail"></div>`}
      </div>
      <div class="step-body">
        ${
          step.reasoning === ""
            ? nothing
            : html`<details class="reasoning">
                <summary>What the model thought</summary>
                <vitrine-markdown .text=${step.reasoning}></vitrine-markdown>
              </details>`
        }
        ${thought === "" ? nothing : html`<vitrine-markdown class="thought" .text=${thought}></vitrine-markdown>`}
        ${
          shown === null
            ? this.#withoutCode(step, isJson)
            : html`<div class="card">
                <pre class="code" tabindex="0">${highlightPython(shown)}</pre>
                ${this.#calls(step)}
                ${this.approval === undefined ? nothing : html`<vitrine-approval .pending=${this.approval}></vitrine-approval>`}
                <div class="outputs">
                  <vitrine-output
                    .blocks=${step.output.blocks}
                    .result=${step.run}
                    .version=${step.version}
                  ></vitrine-output>
                </div>
              </div>`
        }
        ${[...step.questions].map(([, asked]) => question(asked))}
        ${step.notices.map((notice) => html`<p class="notice">${notice}</p>`)} ${this.#remarks(step)}
        <div class="foot">${this.#foot(step)}</div>
      </div>
    </article>`;
  }

  /** A step of the agent that calls tools: what it wrote where that is JSON, and its calls. */
  #withoutCode(step: StepView, isJson: boolean): TemplateResult {
    return html`${
      isJson
        ? html`<details class="reasoning">
            <summary>What the model wrote</summary>
            <pre class="code small" tabindex="0">${step.reply}</pre>
          </details>`
        : nothing
    }
    ${
      step.calls.size === 0 && this.approval === undefined
        ? nothing
        : html`<div class="card only-calls">
            ${this.#calls(step)}
            ${this.approval === undefined ? nothing : html`<vitrine-approval .pending=${this.approval}></vitrine-approval>`}
          </div>`
    }`;
  }

  #calls({ calls }: StepView): TemplateResult | typeof nothing {
    if (calls.size === 0) return nothing;
    const all = [...calls.values()];
    // What runs and what failed is of interest, wherever it is.
    const shown = this.#allCalls
      ? all
      : all
          .filter(({ outcome }, index) => index < FIRST_CALLS || index === all.length - 1 || outcome.kind === "error")
          .slice(0, 40);
    const rest = all.length - shown.length;
    return html`<div class="calls">
      ${shown.map((entry) => html`<vitrine-call .entry=${entry} ?nested=${entry.parent !== null && calls.has(entry.parent)} ?waits=${entry.id === this.approval?.request.callId}></vitrine-call>`)}
      ${
        rest > 0
          ? html`<button
              type="button"
              class="quiet-link more-calls"
              @click=${() => {
                this.#allCalls = true;
                this.requestUpdate();
              }}
            >
              ${`${rest.toLocaleString("en-US")} more calls`}
            </button>`
          : nothing
      }
    </div>`;
  }

  #remarks(step: StepView): TemplateResult | typeof nothing {
    if (step.agent === "code" && step.state === "ended" && step.code === null && step.reply !== "") {
      return html`<p class="notice">This reply holds no code, so nothing was run.</p>`;
    }
    if (step.ignoredBlocks > 0)
      return html`<p class="notice">Only the first block of code is run; the others are ignored.</p>`;
    return nothing;
  }

  #foot(step: StepView): TemplateResult {
    if (!this.live || step.state === "ended") {
      const elapsed = step.run?.elapsed;
      return html`<span>${elapsed === undefined ? "" : formatElapsed(elapsed)}</span>`;
    }
    if (this.replayed) {
      return html`<span>replayed</span> <button type="button" class="quiet-link" @click=${this.stop}>Stop</button>`;
    }
    const doing =
      this.approval !== undefined
        ? "waiting for you"
        : step.state === "running"
          ? "running"
          : step.reply === ""
            ? "waiting for the model"
            : "the model writes";
    return html`<span>${doing} <vitrine-elapsed .since=${step.startedAt}></vitrine-elapsed></span>
      <button type="button" class="quiet-link" @click=${this.stop}>Stop</button>`;
  }
}
customElements.define("vitrine-step", StepCard);

function question(asked: { readonly question: string; readonly answer: string | null }): TemplateResult {
  return html`<p class="asked-person">
    <span class="caption">The code asked:</span> ${asked.question === "" ? "for a line" : asked.question}
    <span class="caption">${asked.answer === null ? "It waits for your answer." : "You answered:"}</span>
    ${asked.answer ?? nothing}
  </p>`;
}
