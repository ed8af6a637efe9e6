import { html, nothing, type TemplateResult } from "lit";

import type { Wanted } from "../../state/questions/wanted.js";
import { agentFacts, agentStanding, TASK_STATE_NAMES } from "../../state/task/agent-tree.js";
import { usageText } from "../../state/session/task-limits.js";
import type { TaskView } from "../../state/task/task-view.js";
import "../content/markdown-view.js";
import { ViewElement } from "../base/view-element.js";
import { signalSummary, verification } from "./answer-notes.js";
import { artifactChips } from "./artifact-chips.js";
import "./learned-skill.js";
import { memoryFold } from "./memory-fold.js";

/**
 * The task of an agent that works as a tool, below its call. It is unfolded where it works, and folded where a saved one is
 * drawn at once, until the reader folds or unfolds it.
 */
export class AgentCard extends ViewElement {
  static override properties = {
    view: { attribute: false },
    version: { type: Number },
    waiting: { attribute: false },
    replayed: { type: Boolean },
  };
  declare view: TaskView | undefined;
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
    const { view } = this;
    if (view === undefined) return nothing;
    const { mark, kind, text } = agentStanding(view, this.waiting);
    return html`<details
      class="agent"
      data-task=${view.id}
      aria-label=${`Agent ${view.name ?? ""}`}
      ?open=${view.isUnfolded}
    >
      <summary @click=${this.#toggle}>
        <span class="mark ${kind}" aria-hidden="true">${mark}</span><b>${view.name}</b>
        <span class="state">${text}</span>
        <span class="hint">${agentFacts(view)}</span>
      </summary>
      ${view.isUnfolded ? this.#body(view) : nothing}
    </details>`;
  }

  // The steps are elements that contain this one: the step's card has loaded them.
  #body(view: TaskView): TemplateResult {
    const { usage, steps, maxSteps, budget } = view;
    return html`<div class="agent-body">
      <p><span class="caption">Its task:</span> ${view.task}</p>
      <p class="hint">${view.modelLabel}</p>
      ${view.notices.map((notice) => html`<p class="notice">${notice}</p>`)}
      ${steps.map((step) => {
        const live = view.active && step === steps.at(-1);
        return html`<vitrine-app-step
          .step=${step}
          .version=${step.version}
          .waiting=${this.waiting}
          ?live=${live}
          ?last=${step === steps.at(-1)}
          ?replayed=${this.replayed}
          within=${view.name ?? ""}
        ></vitrine-app-step>`;
      })}
      ${this.#ending(view)} ${this.#learning(view)} ${memoryFold(view.memory)}
      ${usage === null ? nothing : html`<p class="hint usage">Used: ${usageText(usage, { steps: steps.length, maxSteps, budget })}</p>`}
    </div>`;
  }

  #ending(view: TaskView): TemplateResult | typeof nothing {
    const { answer, error, state } = view;
    if (answer !== null) {
      return html`<div class="agent-answer">
        <p class="caption">Its answer</p>
        <vitrine-app-markdown .text=${answer.text}></vitrine-app-markdown>
        ${verification(answer)} ${signalSummary(view.signals)} ${artifactChips(view)}
      </div>`;
    }
    if (view.active) return nothing;
    return html`<p class=${state === "cancelled" ? "ending" : "bad"}>
        ${TASK_STATE_NAMES[state]}, without an answer. ${error?.message ?? ""}
      </p>
      ${signalSummary(view.signals)} ${artifactChips(view)}`;
  }

  /** Whether it may be saved is asked at the step of the task above, and only that can be stopped. */
  #learning({ learning, active, origin }: TaskView): TemplateResult | typeof nothing {
    if (learning === null) return nothing;
    return html`<vitrine-app-learned-skill
      .learning=${learning}
      ?live=${active}
      ?replayed=${origin === "replay"}
    ></vitrine-app-learned-skill>`;
  }

  /** At the click: the event of `details` comes later, and would undo what was unfolded in between. */
  readonly #toggle = (event: Event): void => {
    event.preventDefault();
    const { view } = this;
    if (view === undefined) return;
    view.isUnfolded = !view.isUnfolded;
    this.requestUpdate();
  };
}
customElements.define("vitrine-app-agent", AgentCard);
