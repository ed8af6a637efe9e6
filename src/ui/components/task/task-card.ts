import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";

import { RecordingMismatchError, UnknownTaskError } from "../../../model/index.js";
import { taskDiffName } from "../../../coding/index.js";
import { VitrineError } from "../../../protocol/index.js";
import { DrawingPace } from "../../drawing/drawing-pace.js";
import type { AppState } from "../../state/app-state.js";
import type { PendingApproval } from "../../state/questions/approvals.js";
import type { PendingServerQuestion } from "../../state/questions/server-questions.js";
import { wanted } from "../../state/questions/wanted.js";
import type { Observable } from "../../state/text/observable.js";
import { formatAge, formatCount, formatElapsed } from "../../state/text/format.js";
import { canGoOn, FOREIGN_TASK_QUESTION, FOREIGN_WORDS_QUESTION } from "../../state/task/saved-tasks.js";
import { leavesRoom, usageText } from "../../state/session/task-limits.js";
import { codingLimits } from "../../state/task/coding-task.js";
import type { TaskPart, TaskView } from "../../state/task/task-view.js";
import { emit } from "../base/page-events.js";
import "../content/markdown-view.js";
import { ViewElement } from "../base/view-element.js";
import { waitingLine } from "../base/waiting-line.js";
import { signalSummary, verification } from "./answer-notes.js";
import { artifactChips } from "./artifact-chips.js";
import { changesSlot } from "./changes-slot.js";
import { earlierWords } from "./earlier-words.js";
import { memoryFold } from "./memory-fold.js";
import "./learned-skill.js";
import "./mismatch-card.js";
import { resumption } from "./resumption.js";
import "./step-card.js";
import "./task-attachments.js";
import { recordingOffer } from "./task-recording.js";
import "./unrecorded-card.js";

/** Parts of a task that come to rest together. */
const GROUP = 8;

/** A task: its text, its steps, and how it ended. */
export class TaskCard extends ViewElement {
  static override properties = {
    app: { attribute: false },
    view: { attribute: false },
    version: { type: Number },
    followed: { type: Boolean },
  };
  declare app: AppState;
  declare view: TaskView | undefined;
  declare version: number;
  /** The reader is at its end. */
  declare followed: boolean;
  #wasActive = false;
  /** Parts that are drawn, and those of them that have been laid out, too. */
  #drawn = 0;
  #laidOut = 0;
  #goesOn = false;
  readonly #pace = new DrawingPace();

  constructor() {
    super();
    this.followed = false;
  }

  protected override sources(): readonly Observable[] {
    return [this.app.approvals, this.app.serverQuestions, this.app.session, this.app.settings, this.app.tasks];
  }

  protected override willUpdate(): void {
    const { view } = this;
    if (view === undefined) return;
    // A reader who is elsewhere while the task ends keeps what they read.
    if (this.#wasActive && view.isAnswered && !this.followed) setUnfolded(view, true);
    this.#wasActive = view.active;
  }

  override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (view === undefined) return nothing;
    // What shows the agents in its course comes with the first call that has one, which may be folded.
    if (view.below.length > 0) void import("./nested-cards.js");
    this.#laidOut = this.#drawn;
    this.#drawn = Math.min(view.parts.length, this.#drawn + this.#pace.begin());
    return html`<section class="task-card">
      <div>
        ${this.#origin(view)}
        <h2 class="task" tabindex="-1">${view.task}</h2>
        <p class="meta">${this.#meta(view)}</p>
        ${guard([view.before], () => earlierWords(view.before))}
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
      ${waitingLine(view, { phase: this.app.session.phase, stop: this.#stop })}
      ${view.isAnswered ? html`${this.#ending(view)} ${changesSlot(this.app, view)} ${this.#learning(view)} ${this.#how(view)}` : nothing}
      ${
        // In one place whether the task is over or not: what the reader opened in them stays so.
        this.#groups(view)
      }
      <vitrine-app-agents
        .view=${view}
        .version=${view.version}
        .waiting=${wanted(this.#approval, this.#question)}
        .redraw=${this.#redraw}
      ></vitrine-app-agents>
      ${this.#isWhole(view) ? html`${view.isAnswered ? nothing : this.#end(view)} ${memoryFold(view.memory)} ${this.#usage(view)}` : nothing}
    </section>`;
  }

  /** How it ended, below what led there. What is asked for comes first once it is known, instead. */
  #end(view: TaskView): TemplateResult {
    return html`${this.#ending(view)} ${changesSlot(this.app, view)} ${this.#unanswered(view)} ${this.#learning(view)}`;
  }

  /** Above the steps of a task that is over. */
  #how(view: TaskView): TemplateResult {
    const { steps } = view;
    const areUnfolded = steps.every(({ isUnfolded }) => isUnfolded);
    return html`<div class="row how">
      <h3>${formatCount(steps.length, "step")}</h3>
      <button
        type="button"
        class="quiet-link"
        @click=${() => {
          // Whole steps are drawn a few at a time.
          if (!areUnfolded) this.#drawn = 0;
          setUnfolded(view, !areUnfolded);
          this.requestUpdate();
        }}
      >
        ${areUnfolded ? "Fold all" : "Unfold all"}
      </button>
    </div>`;
  }

  protected override updated(): void {
    const { view } = this;
    // Where other parts of the page have used up a frame, nothing was drawn in it, and all is left.
    if (this.#laidOut < this.#drawn || (view !== undefined && !this.#isWhole(view))) void this.#drawOn();
  }

  /** A long task that is opened whole is drawn a few parts at a time. */
  async #drawOn(): Promise<void> {
    if (this.#goesOn) return;
    this.#goesOn = true;
    await this.#pace.rest();
    this.#goesOn = false;
    this.requestUpdate();
  }

  #isWhole({ parts }: TaskView): boolean {
    return this.#drawn >= parts.length;
  }

  /** The parts that are drawn so far. Groups at rest keep their size without being drawn, far from what is seen. */
  #groups(view: TaskView): TemplateResult[] {
    const groups: TemplateResult[] = [];
    for (let from = 0; from < this.#drawn; from += GROUP) {
      const parts = view.parts.slice(from, Math.min(from + GROUP, this.#drawn));
      const isLaidOut = from + GROUP <= this.#laidOut && !(view.active && from + GROUP >= view.parts.length);
      // What is folded far from what is seen would keep the size that it had before.
      const isAtRest = isLaidOut && (!view.isAnswered || parts.every(isWhole));
      groups.push(
        html`<div class="parts ${isAtRest ? "at-rest" : ""} ${view.isAnswered ? "folded" : ""}">
          ${parts.map((part) => this.#part(view, part))}
        </div>`,
      );
    }
    return groups;
  }

  #part(view: TaskView, part: TaskPart): TemplateResult {
    switch (part.kind) {
      case "said":
        return html`<p class="said">
          <span class="caption">You said${view.isUnread(part) ? ", after the model's last step" : ""}:</span>
          ${part.text}
        </p>`;
      case "resumed":
        return resumption(part.resumed, view);
      case "step": {
        const { step } = part;
        const live = view.active && step === view.steps.at(-1);
        return html`<vitrine-app-step
          .step=${step}
          .version=${step.version}
          ?live=${live}
          ?last=${live}
          ?foldable=${view.isAnswered}
          ?replayed=${view.origin === "replay"}
          .approval=${live && view.origin === "run" && view.learning === null ? this.#approval : undefined}
          .question=${live && view.origin === "run" ? this.#question : undefined}
          .stop=${this.#stop}
        ></vitrine-app-step>`;
      }
    }
  }

  #learning({ learning, active, origin }: TaskView): TemplateResult | typeof nothing {
    if (learning === null) return nothing;
    return html`<vitrine-app-learned-skill
      .learning=${learning}
      ?live=${active}
      ?replayed=${origin === "replay"}
      .stop=${this.#stop}
      .approval=${active && origin === "run" ? this.#approval : undefined}
    ></vitrine-app-learned-skill>`;
  }

  #usage({ usage, steps, maxSteps, budget }: TaskView): TemplateResult | typeof nothing {
    if (usage === null) return nothing;
    return html`<p class="hint usage">Used: ${usageText(usage, { steps: steps.length, maxSteps, budget })}</p>`;
  }

  /** Says of what is not happening now that it is not. */
  #origin({ origin, savedFrom, isImported, runsElsewhere }: TaskView): TemplateResult | typeof nothing {
    if (origin === "run" || savedFrom === null) return nothing;
    const date = new Date(savedFrom);
    const when = `${date.toISOString().slice(0, 10)} ${date.toTimeString().slice(0, 5)}`;
    return html`<p class="origin">
      ${origin === "replay" ? "Replay of a task" : "Saved task"} of
      <time datetime=${date.toISOString()} title=${formatAge(date)}>${when}</time>${isImported ? ", from a file" : ""}.
      ${runsElsewhere ? nothing : "Nothing runs."}
    </p>`;
  }

  get #approval(): PendingApproval | undefined {
    const { pending } = this.app.approvals;
    return pending?.place === "task" ? pending : undefined;
  }

  get #question(): PendingServerQuestion | undefined {
    const { pending } = this.app.serverQuestions;
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
          <p class="ending">
            ${view.taskId === null ? "Stopped before it began." : "Stopped. What was done until then stays."}
          </p>
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
    if (view.runsElsewhere) return html`<p class="ending">It still runs. This is what it has done so far.</p>`;
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

  #goOn({ taskId, state, steps, usage, artifacts }: TaskView): TemplateResult | typeof nothing {
    if (taskId === null || state === "preparing" || !canGoOn(state)) return nothing;
    if (!this.app.tasks.modelCanGoOn) {
      return html`<p class="hint">
          It cannot go on with the recorded model, which only repeats. It can be replayed or run again under “Earlier
          tasks”.
        </p>
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>Set up a model</button>`;
    }
    const { limits: chosen } = this.app.settings.current;
    const limits = artifacts.includes(taskDiffName(taskId)) ? codingLimits(chosen) : chosen;
    const ended = steps.filter(({ endedAt }) => endedAt !== null).length;
    if (!leavesRoom(limits, { steps: ended, usage })) {
      return html`<p class="hint">It can go on once the settings allow it more.</p>
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>Settings</button>`;
    }
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
        <vitrine-app-markdown .text=${view.answer?.text ?? ""}></vitrine-app-markdown>
        ${verification(view.answer)} ${signalSummary(view.signals)} ${this.#artifacts(view)}
      </div>
      ${this.#followUp(view)}
      ${recordingOffer(view, () => {
        this.app.tasks.useRecording(view);
      })}`;
  }

  #followUp({ taskId, task, runsElsewhere }: TaskView): TemplateResult | typeof nothing {
    if (taskId === null || runsElsewhere || !this.app.tasks.modelCanGoOn) return nothing;
    return html`<div class="row">
      <button
        type="button"
        class="btn"
        ?disabled=${this.app.tasks.current !== undefined}
        @click=${() => {
          if (this.app.saved.isImported(taskId) && !confirm(FOREIGN_WORDS_QUESTION)) return;
          this.app.followUp({ taskId, task });
          emit(this, "vitrine-write-task");
        }}
      >
        Follow up
      </button>
    </div>`;
  }

  /** What there is of a task without an answer: what its code said, and what it saved. */
  #unanswered(view: TaskView): TemplateResult | typeof nothing {
    if (view.active || view.answer !== null) return nothing;
    return html`${signalSummary(view.signals)} ${this.#artifacts(view)}`;
  }

  /** What it saved. */
  #artifacts(view: TaskView): TemplateResult | typeof nothing {
    const { attachments } = view;
    if (attachments === null) return artifactChips(view);
    return html`<vitrine-app-task-attachments .attachments=${attachments}></vitrine-app-task-attachments>`;
  }

  #failure(view: TaskView): TemplateResult {
    const { error } = view;
    if (error instanceof RecordingMismatchError) {
      return html`<vitrine-app-mismatch .app=${this.app} .view=${view} .error=${error}></vitrine-app-mismatch>`;
    }
    if (error instanceof UnknownTaskError) {
      return html`<vitrine-app-unrecorded .app=${this.app} .task=${view.task}></vitrine-app-unrecorded>`;
    }
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

  readonly #redraw = (): void => {
    this.requestUpdate();
  };

  readonly #stop = (): void => {
    this.app.tasks.stop();
  };
}
customElements.define("vitrine-app-task", TaskCard);

function setUnfolded({ steps }: TaskView, isUnfolded: boolean): void {
  for (const step of steps) {
    step.isUnfolded = isUnfolded;
    step.version += 1;
  }
}

function isWhole(part: TaskPart): boolean {
  return part.kind !== "step" || part.step.isUnfolded;
}
