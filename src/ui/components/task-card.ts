import { html, nothing, type TemplateResult } from "lit";

import { formatTranscript, RecordingMismatchError, UnknownTaskError } from "../../model/index.js";
import { VitrineError } from "../../protocol/index.js";
import { download } from "../drawing/download.js";
import type { AppState } from "../state/app-state.js";
import type { PendingApproval } from "../state/approvals.js";
import type { Observable } from "../state/observable.js";
import { formatAge, formatCount, formatElapsed, SIGNAL_NAMES } from "../state/format.js";
import { canGoOn, FOREIGN_TASK_QUESTION, taskFileName } from "../state/saved-tasks.js";
import { usageText } from "../state/task-limits.js";
import type { TaskPart, TaskView } from "../state/task-view.js";
import { emit } from "./page-events.js";
import "./markdown-view.js";
import { memoryFold } from "./memory-fold.js";
import "./mismatch-card.js";
import { resumption } from "./resumption.js";
import "./step-card.js";
import { ViewElement } from "./view-element.js";

/** Parts of a task that are drawn in one frame: a long one that is opened whole does not hold the page up. */
const PARTS_AT_ONCE = 8;

/** A task: its text, its steps, and how it ended. */
export class TaskCard extends ViewElement {
  static override properties = { app: { attribute: false }, view: { attribute: false }, version: { type: Number } };
  declare app: AppState;
  declare view: TaskView | undefined;
  declare version: number;
  #drawn = 0;

  protected override sources(): readonly Observable[] {
    return [this.app.approvals, this.app.tasks];
  }

  override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (view === undefined) return nothing;
    this.#drawn = Math.min(view.parts.length, this.#drawn + PARTS_AT_ONCE);
    return html`<section class="task-card">
      <div>
        ${this.#origin(view)}
        <h2 class="task" tabindex="-1">${view.task}</h2>
        <p class="meta">${this.#meta(view)}</p>
      </div>
      ${
        view.changedFiles.length === 0
          ? nothing
          : html`<p class="notice">
              ${view.changedFiles.join(", ")} in your files ${view.changedFiles.length === 1 ? "differs" : "differ"}
              from what came with this task. Yours is used.
            </p>`
      }
      ${view.notices.map((notice) => html`<p class="notice">${notice}</p>`)}
      ${view.waitsFor === "" ? nothing : html`<p class="hint waits">${view.waitsFor} <button type="button" class="quiet-link" @click=${this.#stop}>Stop</button></p>`}
      ${view.parts.slice(0, this.#drawn).map((part) => this.#part(view, part))}
      ${this.#isWhole(view) ? html`${this.#ending(view)} ${memoryFold(view.memory)} ${this.#usage(view)}` : nothing}
    </section>`;
  }

  protected override updated(): void {
    if (this.view !== undefined && !this.#isWhole(this.view)) this.requestUpdate();
  }

  #isWhole({ parts }: TaskView): boolean {
    return this.#drawn >= parts.length;
  }

  #part(view: TaskView, part: TaskPart): TemplateResult {
    switch (part.kind) {
      case "said":
        return html`<p class="said"><span class="caption">You said:</span> ${part.text}</p>`;
      case "resumed":
        return resumption(part.resumed);
      case "step": {
        const { step } = part;
        const live = view.active && step === view.steps.at(-1);
        return html`<vitrine-step
          .step=${step}
          .version=${step.version}
          ?live=${live}
          ?last=${live}
          ?replayed=${view.origin === "replay"}
          .approval=${live && view.origin === "run" ? this.#approval : undefined}
          .stop=${this.#stop}
        ></vitrine-step>`;
      }
    }
  }

  #usage({ usage, steps, maxSteps }: TaskView): TemplateResult | typeof nothing {
    if (usage === null) return nothing;
    return html`<p class="hint usage">Used: ${usageText(usage, { steps: steps.length, maxSteps })}</p>`;
  }

  /** Says of what is not happening now that it is not. */
  #origin({ origin, savedFrom }: TaskView): TemplateResult | typeof nothing {
    if (origin === "run" || savedFrom === null) return nothing;
    const date = new Date(savedFrom);
    const when = `${date.toISOString().slice(0, 10)} ${date.toTimeString().slice(0, 5)}`;
    return html`<p class="origin">
      ${origin === "replay" ? "Replay of a task" : "Saved task"} of
      <time datetime=${date.toISOString()} title=${formatAge(date)}>${when}</time>. Nothing runs.
    </p>`;
  }

  get #approval(): PendingApproval | undefined {
    const { pending } = this.app.approvals;
    return pending?.place === "task" ? pending : undefined;
  }

  #meta(view: TaskView): string {
    const files = view.files.map(({ path }) => path).join(", ");
    const parts = [files, view.modelLabel, view.elapsed === null ? "" : formatElapsed(view.elapsed)];
    return parts.filter((part) => part !== "").join(" · ");
  }

  #ending(view: TaskView): TemplateResult | typeof nothing {
    if (view.answer !== null) return this.#answer(view);
    if (view.origin !== "run") return this.#savedEnding(view);
    switch (view.state) {
      case "cancelled":
        return html`<div class="row">
          <p class="ending">Stopped. What was done until then stays.</p>
          ${this.#goOn(view)}
        </div>`;
      case "step_limit_reached":
      case "budget_reached":
      case "error":
        return this.#failure(view);
      default:
        return nothing;
    }
  }

  /** How a task ended that is only drawn. */
  #savedEnding(view: TaskView): TemplateResult | typeof nothing {
    if (view.active) return nothing;
    const text =
      view.state === "cancelled"
        ? view.origin === "replay" && view.elapsed === null
          ? "The replay was stopped here."
          : "It was stopped here."
        : view.state === "interrupted"
          ? "It was interrupted here: its page went away."
          : `It ended here without an answer. ${view.error?.message ?? ""}`;
    return html`<div class="row">
      <p class="ending">${text}</p>
      ${this.#goOn(view)}
    </div>`;
  }

  #goOn({ taskId, state }: TaskView): TemplateResult | typeof nothing {
    if (taskId === null || state === "preparing" || !canGoOn(state)) return nothing;
    return html`<button
      type="button"
      class="btn"
      ?disabled=${this.app.tasks.current !== undefined}
      @click=${() => {
        if (this.app.saved.isImported(taskId) && !confirm(FOREIGN_TASK_QUESTION)) return;
        void this.app.goOn(taskId);
      }}
    >
      Go on
    </button>`;
  }

  #answer(view: TaskView): TemplateResult {
    return html`<div class="answer">
        <h3>Answer</h3>
        <vitrine-markdown .text=${view.answer?.text ?? ""}></vitrine-markdown>
        ${verification(view)} ${signalSummary(view)}
        ${
          view.artifacts.length === 0
            ? nothing
            : html`<div class="row">
                ${view.artifacts.map(
                  (name) =>
                    html`<button type="button" class="chip" @click=${() => emit(this, "vitrine-open-artifact", name)}>
                      ${name}
                    </button>`,
                )}
              </div>`
        }
      </div>
      ${this.#recording(view)}`;
  }

  #recording({ recording, task }: TaskView): TemplateResult | typeof nothing {
    if (recording === null) return nothing;
    const name = taskFileName(task, ".yaml");
    return html`<div class="row recording">
      <span class="hint">This task was recorded.</span>
      <button type="button" class="quiet-link" @click=${() => download(name, formatTranscript(recording))}>
        Download the recording
      </button>
      <button
        type="button"
        class="quiet-link"
        @click=${() => {
          if (this.view !== undefined) this.app.tasks.useRecording(this.view);
        }}
      >
        Replay it from now on
      </button>
    </div>`;
  }

  #failure(view: TaskView): TemplateResult {
    const { error } = view;
    if (error instanceof RecordingMismatchError) {
      return html`<vitrine-mismatch .app=${this.app} .view=${view} .error=${error}></vitrine-mismatch>`;
    }
    if (error instanceof UnknownTaskError) return this.#unknownTask();
    const code = error instanceof VitrineError ? error.code : "";
    return html`<div class="failure" role="group" aria-label="The task has no answer">
      <h3>No answer</h3>
      <p>${error?.message ?? "The task ended without an answer."}</p>
      <div class="row">
        ${code.startsWith("MODEL") ? html`<button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>Settings</button>` : nothing}
        <button type="button" class="btn" @click=${() => void this.app.runTask(view.task)}>Try again</button>
        ${this.#goOn(view)}
      </div>
    </div>`;
  }

  #unknownTask(): TemplateResult {
    return html`<div class="failure calm" role="group" aria-label="The recorded model does not know this task">
      <h3>The recorded model does not know this task</h3>
      <p>
        It repeats what was recorded and knows nothing else. Choose one of its tasks, or set up a model to ask anything.
      </p>
      <ul class="plain-list">
        ${this.app.tasks.shipped.map(
          ({ title, task }) =>
            html`<li>
              <button type="button" class="link" title=${task} @click=${() => void this.app.runTask(task)}>
                ${title}
              </button>
            </li>`,
        )}
      </ul>
      <div class="row">
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>Set up a model</button>
      </div>
    </div>`;
  }

  readonly #stop = (): void => {
    this.app.tasks.stop();
  };
}
customElements.define("vitrine-task", TaskCard);

/** How the code says that it made sure: its word, and no more. */
function verification({ answer }: TaskView): TemplateResult | typeof nothing {
  const verifiedBy = answer?.verifiedBy ?? null;
  if (verifiedBy === null) return nothing;
  return html`<p class="hint"><span class="caption">Checked by the agent:</span> ${verifiedBy}</p>`;
}

function signalSummary({ signals }: TaskView): TemplateResult | typeof nothing {
  if (signals.length === 0) return nothing;
  return html`<details class="signals">
    <summary>${formatCount(signals.length, "signal")} on the way</summary>
    <ul class="plain-list">
      ${signals.map(({ step, type, message }) => html`<li>Step ${step}, <span class="caption">${SIGNAL_NAMES[type]}:</span> ${message}</li>`)}
    </ul>
  </details>`;
}
