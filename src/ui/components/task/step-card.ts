import { html, nothing, type TemplateResult } from "lit";

import { extractCode } from "../../../agent/index.js";
import { highlightedPython } from "../../drawing/highlight.js";
import { cutText } from "../../state/text/text-ends.js";
import { formatElapsed } from "../../state/text/format.js";
import type { PendingApproval } from "../../state/questions/approvals.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { splitReply } from "../../state/text/split-reply.js";
import { stepLine } from "../../state/task/step-line.js";
import type { TaskStep } from "../../state/task/task-view.js";
import { wanted, type Wanted } from "../../state/questions/wanted.js";
import "../questions/approval-card.js";
import "./call-list.js";
import "../base/elapsed-time.js";
import "../content/markdown-view.js";
import "../content/output-view.js";
import "../questions/question-card.js";
import { askedAbout, serverQuestionSlot } from "../questions/server-question-slot.js";
import { ViewElement } from "../base/view-element.js";

/** A step: thought, code, calls and output, in that order. */
export class StepCard extends ViewElement {
  static override properties = {
    step: { attribute: false },
    version: { type: Number },
    live: { type: Boolean },
    last: { type: Boolean },
    foldable: { type: Boolean },
    replayed: { type: Boolean },
    stop: { attribute: false },
    approval: { attribute: false },
    question: { attribute: false },
    waiting: { attribute: false },
    within: { type: String },
  };
  declare step: TaskStep | undefined;
  declare version: number;
  /** It is the newest of a task that still runs. */
  declare live: boolean;
  declare last: boolean;
  /** Its task is over and has its answer: it is a line that unfolds. */
  declare foldable: boolean;
  /** Its events come as they were saved; nothing happens. */
  declare replayed: boolean;
  /** Ends the task; undefined where only what is above it can. */
  declare stop: (() => void) | undefined;
  /** What its code waits for. */
  declare approval: PendingApproval | undefined;
  /** What an MCP server asks while a call of this step waits. */
  declare question: PendingServerQuestion | undefined;
  /** What waits for the user's word, if it is not asked for here. */
  declare waiting: Wanted | undefined;
  /** The agent whose step it is, where that works as a tool. */
  declare within: string;

  constructor() {
    super();
    this.version = 0;
    this.live = false;
    this.last = false;
    this.foldable = false;
    this.replayed = false;
    this.within = "";
  }

  override render(): TemplateResult | typeof nothing {
    const { step } = this;
    if (step === undefined) return nothing;
    // The model failed before it said anything; the task says why.
    if (step.state === "ended" && step.reply === "" && step.toolCalls.length + step.notices.length === 0)
      return nothing;
    const name = `Step ${String(step.number)}${this.within === "" ? "" : ` of ${this.within}`}`;
    // One template for both, so that what the reader opened in the body stays so when the task ends.
    return html`<article class="step ${this.live ? "now" : ""} ${this.foldable ? "foldable" : ""}" aria-label=${name}>
      ${this.foldable ? this.#line(step) : this.#side(step)}
      ${this.foldable && !step.isUnfolded ? nothing : this.#body(step)}
    </article>`;
  }

  #side({ number }: TaskStep): TemplateResult {
    return html`<div class="step-side">
      <div class="num" aria-hidden="true">${number}</div>
      ${this.last ? nothing : html`<div class="rail"></div>`}
    </div>`;
  }

  #line(step: TaskStep): TemplateResult {
    const { title, facts, hasFailed } = stepLine(step);
    return html`<button
      type="button"
      class="step-line"
      aria-expanded=${step.isUnfolded ? "true" : "false"}
      @click=${() => {
        step.isUnfolded = !step.isUnfolded;
        this.requestUpdate();
      }}
    >
      <span class="num"><span class="visually-hidden">Step </span>${step.number}</span>
      <span class="title">${step.isUnfolded ? `Step ${String(step.number)}` : title}</span>
      ${hasFailed ? html`<span class="mark failed">×<span class="visually-hidden">failed</span></span>` : nothing}
      <span class="facts">${facts}</span>
    </button>`;
  }

  #body(step: TaskStep): TemplateResult {
    const split = splitReply(step.reply);
    const isJson = step.agent === "react" && (split.code !== null || /^\s*(?:```\w*\s*)?[{[]/.test(step.reply));
    const { thought, code } = isJson ? { thought: "", code: null } : split;
    // Once it is whole, what of the reply would run is for the agent to say.
    const written = step.state === "ended" ? (extractCode(step.reply)?.code ?? code) : code;
    const shown = step.agent === "react" ? null : (step.code ?? written);
    return html`<div class="step-body" @click=${this.#keepOpen}>
      ${
        step.reasoning === ""
          ? nothing
          : html`<details class="reasoning">
              <summary>What the model thought</summary>
              <vitrine-app-markdown .text=${step.reasoning}></vitrine-app-markdown>
            </details>`
      }
      ${thought === "" ? nothing : html`<vitrine-app-markdown class="thought" .text=${thought}></vitrine-app-markdown>`}
      ${
        shown === null
          ? this.#withoutCode(step, isJson)
          : html`<div class="card">
              <pre class="code" tabindex="0" ${highlightedPython(shown)}></pre>
              ${this.#calls(step)} ${this.#asks()}
              <div class="outputs">
                <vitrine-app-output
                  .output=${step.output}
                  .result=${step.run}
                  .version=${step.version}
                ></vitrine-app-output>
              </div>
            </div>`
      }
      ${this.#observation(step)} ${this.#questions(step)}
      ${step.notices.map((notice) => html`<p class="notice">${notice}</p>`)} ${this.#remarks(step)}
      <div class="foot">${this.#foot(step)}</div>
    </div>`;
  }

  /** What the reader looks into stays open when the task ends. */
  readonly #keepOpen = ({ target }: Event): void => {
    if (this.step === undefined || !(target instanceof Element)) return;
    if (target.closest("vitrine-app-call, summary, pre") !== null) this.step.isUnfolded = true;
  };

  /** A step of the agent that calls tools: what it wrote where that is JSON, and its calls. */
  #withoutCode(step: TaskStep, isJson: boolean): TemplateResult {
    return html`${
      isJson
        ? html`<details class="reasoning">
            <summary>What the model wrote</summary>
            <pre class="code small" tabindex="0">${cutText(step.reply)}</pre>
          </details>`
        : nothing
    }
    ${
      step.toolCalls.length === 0
        ? nothing
        : html`<details class="reasoning">
            <summary>What the model asked for</summary>
            <pre class="code small" tabindex="0">
${cutText(step.toolCalls.map(({ name, arguments: given }) => `${name}(${given})`).join("\n"))}</pre>
          </details>`
    }
    ${
      step.calls.entries.size === 0 && step.calls.contents.size === 0 && !this.#isAsking
        ? nothing
        : html`<div class="card only-calls">${this.#calls(step)} ${this.#asks()}</div>`
    }`;
  }

  get #isAsking(): boolean {
    return this.approval !== undefined || this.question !== undefined;
  }

  /** What the user is asked about a call of this step: whether it may be made, and then what its server wants. */
  #asks(): TemplateResult {
    return html`${this.approval === undefined ? nothing : html`<vitrine-app-approval .pending=${this.approval}></vitrine-app-approval>`}
    ${serverQuestionSlot(this.question)}`;
  }

  #calls({ calls, version }: TaskStep): TemplateResult {
    return html`<vitrine-app-calls
      .calls=${calls}
      .version=${version}
      .waiting=${wanted(this.approval, this.question) ?? this.waiting}
      ?replayed=${this.replayed}
    ></vitrine-app-calls>`;
  }

  /** What the agent that calls tools was told of its calls; of a task from a file what the model would be told again. */
  #observation({ agent, observation, isImported }: TaskStep): TemplateResult | typeof nothing {
    if ((agent !== "react" && !isImported) || observation === null) return nothing;
    return html`<details class="reasoning told">
      <summary>What the model was told back</summary>
      <pre class="plain" tabindex="0">${cutText(observation)}</pre>
    </details>`;
  }

  #questions(step: TaskStep): TemplateResult[] {
    return [...step.questions.values()].map(
      (asked) =>
        html`<vitrine-app-question
          .asked=${asked}
          ?waits=${this.live && !this.replayed && step.waitsFor(asked)}
          ?over=${!step.waitsFor(asked)}
          .refuse=${() => {
            step.refused.add(asked.id);
            this.requestUpdate();
          }}
        ></vitrine-app-question>`,
    );
  }

  #remarks(step: TaskStep): TemplateResult | typeof nothing {
    if (step.agent === "code" && step.state === "ended" && step.code === null && step.reply !== "") {
      return html`<p class="notice">This reply holds no code, so nothing was run.</p>`;
    }
    if (step.ignoredBlocks > 0)
      return html`<p class="notice">Only the first block of code is run; the others are ignored.</p>`;
    return nothing;
  }

  #foot(step: TaskStep): TemplateResult {
    if (!this.live || step.state === "ended") {
      const elapsed = step.run?.elapsed;
      return html`<span>${elapsed === undefined ? "" : formatElapsed(elapsed)}</span>`;
    }
    if (this.replayed) {
      return html`<span>replayed</span> ${this.#stopButton()}`;
    }
    const doing =
      this.#isAsking || step.asked !== undefined
        ? "waiting for you"
        : step.state === "running"
          ? "running"
          : step.reply === ""
            ? "waiting for the model"
            : "the model writes";
    return html`<span>${doing} <vitrine-app-elapsed .since=${step.startedAt}></vitrine-app-elapsed></span>
      ${this.#stopButton()}`;
  }

  /** From a question that is answered to the call that waited for the answer, and from what was folded to its line. */
  protected override refocus(gone: Element): boolean {
    const folded = this.querySelector<HTMLElement>(".step-line");
    if (folded !== null) {
      folded.focus({ preventScroll: true });
      return true;
    }
    const id = CSS.escape(askedAbout(gone) ?? "");
    const line = this.querySelector<HTMLElement>(`[data-call="${id}"] button`);
    line?.focus({ preventScroll: true });
    return line !== null;
  }

  #stopButton(): TemplateResult | typeof nothing {
    if (this.stop === undefined) return nothing;
    return html`<button type="button" class="quiet-link" @click=${this.stop}>Stop</button>`;
  }
}
customElements.define("vitrine-app-step", StepCard);
