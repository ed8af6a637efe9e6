import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import { FOREIGN_TASK_QUESTION } from "../../state/task/saved-tasks.js";
import { ViewElement } from "../base/view-element.js";

/** The newest task lost its page in the middle: what can be done with it. Nothing where that is not so. */
export class InterruptedCard extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  protected override sources(): readonly Observable[] {
    return [this.app.saved, this.app.settings];
  }

  override render(): TemplateResult | typeof nothing {
    const [newest] = this.app.saved.tasks;
    if (newest?.state !== "interrupted") return nothing;
    const { taskId, task, isImported } = newest;
    const { app } = this;
    const canGoOn = app.tasks.modelCanGoOn;
    const start = (work: () => Promise<void>): void => {
      if (!isImported || confirm(FOREIGN_TASK_QUESTION)) void work();
    };
    return html`<section class="failure calm interrupted" aria-label="Your last task was interrupted">
      <h3>Your last task was interrupted</h3>
      <p>${task}</p>
      <p class="hint">
        The page was closed or reloaded while it ran. What it did until then is kept.
        ${canGoOn ? nothing : "The recorded demo cannot continue in the middle, but it can start over."}
      </p>
      <div class="row">
        ${
          canGoOn
            ? html`<button
                type="button"
                class="btn primary"
                @click=${() => {
                  start(() => app.goOn(taskId));
                }}
              >
                Continue
              </button>`
            : html`<button
                type="button"
                class="btn primary"
                @click=${() => {
                  start(() => app.runTask(task));
                }}
              >
                Start over
              </button>`
        }
        <button type="button" class="btn" @click=${() => void app.openTask(taskId)}>Show what it did</button>
      </div>
    </section>`;
  }
}
customElements.define("vitrine-app-interrupted", InterruptedCard);
