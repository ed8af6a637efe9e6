import { html, nothing, type TemplateResult } from "lit";

import type { Wanted } from "../../state/questions/wanted.js";
import { agentFacts, agentStanding, agentTree, type AgentNode } from "../../state/task/agent-tree.js";
import type { TaskView } from "../../state/task/task-view.js";
import { ViewElement } from "../base/view-element.js";

/** Frames within which what was unfolded is drawn, one level of agents after the other. */
const MOST_FRAMES = 30;

/** Who takes part in a task, where more than one agent does: who called whom, and how far each is. */
export class AgentsOverview extends ViewElement {
  static override properties = {
    view: { attribute: false },
    version: { type: Number },
    waiting: { attribute: false },
    redraw: { attribute: false },
  };
  declare view: TaskView | undefined;
  declare version: number;
  /** What waits for the user's word. */
  declare waiting: Wanted | undefined;
  /** Draws the task anew, with what was unfolded in it. */
  declare redraw: () => void;

  constructor() {
    super();
    this.version = 0;
    this.redraw = () => undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { view } = this;
    if (view === undefined || view.below.length === 0) return nothing;
    return html`<section class="agents" aria-label="Agents of this task">
      <h3>Agents</h3>
      <ul>
        ${this.#node(agentTree(view))}
      </ul>
    </section>`;
  }

  #node({ view, name, below }: AgentNode): TemplateResult {
    const { mark, kind, text } = agentStanding(view, this.waiting);
    return html`<li>
      <div class="agent-row">
        <span class="mark ${kind}" aria-hidden="true">${mark}</span>
        ${
          view.place === null
            ? html`<b>${name}</b>`
            : html`<button
                type="button"
                class="quiet-link"
                aria-label=${`Show the agent ${name}: ${view.task.slice(0, 80)}`}
                title=${view.task}
                @click=${() => void this.#show(view)}
              >
                ${name}
              </button>`
        }
        <span class="state">${text}</span>
        <span class="hint">${agentFacts(view)}</span>
      </div>
      ${
        below.length === 0
          ? nothing
          : html`<ul>
              ${below.map((node) => this.#node(node))}
            </ul>`
      }
    </li>`;
  }

  /** Unfolds what the agent is in, and brings it into view. */
  async #show(view: TaskView): Promise<void> {
    view.unfold();
    // What is around it is drawn by its version.
    view.redraw();
    this.redraw();
    const task = this.closest(".task-card");
    for (let frame = 0; frame < MOST_FRAMES; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const card = task?.querySelector<HTMLElement>(`[data-task="${CSS.escape(view.id)}"]`) ?? null;
      if (card === null) continue;
      card.scrollIntoView({ block: "start" });
      card.querySelector("summary")?.focus({ preventScroll: true });
      return;
    }
  }
}
customElements.define("vitrine-app-agents", AgentsOverview);
