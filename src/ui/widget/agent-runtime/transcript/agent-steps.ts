import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { extractCode } from "../../../../agent/index.js";
import "../../../components/base/elapsed-time.js";
import { define, rootOf, ViewElement } from "../../../components/base/view-element.js";
import "../../../components/content/markdown-view.js";
import { verification } from "../../../components/task/answer-notes.js";
import "../../../components/task/call-line.js";
import { highlightedPython } from "../../../drawing/highlight.js";
import { stepLine } from "../../../state/task/step-line.js";
import type { TaskStep, TaskView } from "../../../state/task/task-view.js";
import { formatCount } from "../../../state/text/format.js";
import { splitReply } from "../../../state/text/split-reply.js";
import type { OutputElement } from "../../cell-runtime.js";

/** Calls of a step that are drawn, the first ones. */
const MOST_CALLS = 50;

/** The work on a question: a fold for each step, and the answer below them. */
export class AgentSteps extends ViewElement {
  static override properties = { task: { attribute: false }, outputs: { attribute: false }, version: { type: Number } };
  declare task: TaskView | undefined;
  /** What the code of each step printed and showed. */
  declare outputs: ReadonlyMap<TaskStep, OutputElement>;
  /** Grows with every change of the task. */
  declare version: number;
  /** What the reader opened or closed; the other steps are open while they are at work. */
  readonly #folded = new Map<TaskStep, boolean>();

  constructor() {
    super();
    this.outputs = new Map();
    this.version = 0;
  }

  override render(): TemplateResult | typeof nothing {
    const { task } = this;
    if (task === undefined) return nothing;
    return html`<ol class="steps" part="steps">
        ${repeat(
          task.steps.filter((step) => isWorthShowing(step)),
          (step) => step,
          (step) => html`<li>${this.#step(step)}</li>`,
        )}
      </ol>
      ${task.notices.map((notice) => noticeOf(notice))} ${this.#doing(task)} ${answerOf(task)}
      <p class="visually-hidden" role="status">${spoken(task)}</p>`;
  }

  #step(step: TaskStep): TemplateResult {
    const { title, facts, hasFailed } = stepLine(step);
    const isOpen = this.#isOpen(step);
    return html`<details class="step" part="step" ?open=${isOpen}>
      <summary part="step-title" @click=${(event: Event) => this.#turn(step, event)}>
        <span class="num" aria-hidden="true">${step.number}</span>
        <bdi class="title">
          ${isOpen ? `Step ${String(step.number)}` : html`<span class="visually-hidden">Step ${step.number}: </span>${title}`}
        </bdi>
        ${hasFailed ? html`<span class="mark failed">×<span class="visually-hidden">failed</span></span>` : nothing}
        <span class="facts">${facts}</span>
      </summary>
      <div class="step-body" @focusin=${() => this.#keepOpen(step)}>${this.#body(step)}</div>
    </details>`;
  }

  #body(step: TaskStep): TemplateResult {
    const { thought, code: written } = splitReply(step.reply);
    const whole = step.state === "ended" ? (extractCode(step.reply)?.code ?? written) : written;
    const code = step.code ?? whole;
    const output = this.outputs.get(step);
    return html`${
      step.reasoning === ""
        ? nothing
        : html`<details class="reasoning" part="reasoning">
            <summary>What the model thought</summary>
            <vitrine-app-markdown class="thought" .text=${step.reasoning}></vitrine-app-markdown>
          </details>`
    }
    ${thought === "" ? nothing : html`<vitrine-app-markdown part="thought" class="thought" .text=${thought}></vitrine-app-markdown>`}
    ${code === null ? nothing : html`<pre class="code" part="code" tabindex="0" ${highlightedPython(code)}></pre>`}
    ${calls(step)} ${output === undefined ? nothing : html`<div class="outputs" part="output">${output}</div>`}
    ${remarks(step).map((remark) => noticeOf(remark))}`;
  }

  /** What goes on, while it does. */
  #doing(task: TaskView): TemplateResult | typeof nothing {
    const step = task.steps.at(-1);
    if (!task.active || step === undefined) return nothing;
    return html`<p class="doing" part="doing">
      Step ${step.number} of ${task.maxSteps}: ${doing(step)}
      <span aria-hidden="true"><vitrine-app-elapsed .since=${step.startedAt}></vitrine-app-elapsed></span>
    </p>`;
  }

  #isOpen(step: TaskStep): boolean {
    const isLast = step === this.task?.steps.at(-1);
    return this.#folded.get(step) ?? (isLast && this.task?.answer === null);
  }

  #turn(step: TaskStep, { currentTarget }: Event): void {
    const details = currentTarget instanceof Element ? currentTarget.closest("details") : null;
    // The browser turns it after this.
    if (details === null) return;
    this.#folded.set(step, !details.open);
    this.requestUpdate();
  }

  /** What the reader is in does not fold by itself. */
  #keepOpen(step: TaskStep): void {
    if (!this.#folded.has(step)) this.#folded.set(step, true);
  }

  protected override willUpdate(): void {
    const held = rootOf(this).activeElement?.closest("details.step") ?? null;
    const place = held === null ? -1 : [...this.querySelectorAll("details.step")].indexOf(held);
    const step = this.task?.steps.filter((each) => isWorthShowing(each))[place];
    if (step !== undefined && held?.hasAttribute("open") === true) this.#keepOpen(step);
  }
}
define("vitrine-app-agent-steps", AgentSteps);

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-agent-steps": AgentSteps;
  }
}

/** Not of one in which the model failed before it said anything: the outcome says that. */
function isWorthShowing(step: TaskStep): boolean {
  return step.state !== "ended" || step.reply !== "" || step.notices.length > 0;
}

function calls({ calls: { entries } }: TaskStep): TemplateResult | typeof nothing {
  if (entries.size === 0) return nothing;
  const left = entries.size - MOST_CALLS;
  return html`<div class="calls" part="calls">
    ${repeat(
      [...entries.values()].slice(0, MOST_CALLS),
      ({ id }) => id,
      (entry) =>
        html`<vitrine-app-call
          .entry=${entry}
          ?nested=${entry.parent !== null && entries.has(entry.parent)}
        ></vitrine-app-call>`,
    )}
    ${left > 0 ? html`<p class="hint more-calls">${formatCount(left, "more call")} not shown</p>` : nothing}
  </div>`;
}

function remarks(step: TaskStep): string[] {
  const isOver = step.state === "ended";
  const hasNoCode = isOver && step.code === null && step.reply !== "";
  const isCut = step.observation?.startsWith("Your reply was cut off") === true;
  return [
    ...step.notices,
    ...(isCut ? ["The model's server cut this reply off at its limit of length, so nothing was run."] : []),
    ...(hasNoCode && !isCut ? ["This reply holds no code, so nothing was run."] : []),
    ...(step.ignoredBlocks > 0 ? ["Only the first block of code is run; the others are ignored."] : []),
  ];
}

function noticeOf(text: string): TemplateResult {
  return html`<p class="notice" part="notice" dir="auto">${text}</p>`;
}

function doing(step: TaskStep): string {
  if (step.asked !== undefined) return "the code asks you";
  if (step.state === "running") return "the code runs";
  return step.reply === "" && step.reasoning === "" ? "waiting for the model" : "the model writes";
}

function answerOf({ answer }: TaskView): TemplateResult | typeof nothing {
  if (answer === null) return nothing;
  return html`<section class="answer" part="answer" aria-label="Answer">
    <vitrine-app-markdown .text=${answer.text} hosts></vitrine-app-markdown>
    ${verification(answer)}
  </section>`;
}

/** Read out when it changes: few words, and not with every piece that comes. */
function spoken({ steps, answer, active }: TaskView): string {
  if (answer !== null) return "The answer is there.";
  return active && steps.length > 0 ? `Step ${String(steps.length)}` : "";
}
