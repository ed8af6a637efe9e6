import { html, nothing, type TemplateResult } from "lit";

import type { RecordingMismatchError } from "../../../model/index.js";
import type { AppState } from "../../state/app-state.js";
import type { TaskView } from "../../state/task/task-view.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";
import "../content/source-difference.js";

/** What happened is not what was recorded: both, and what can be done about it. */
export class MismatchCard extends ViewElement {
  static override properties = { app: { attribute: false }, view: { attribute: false }, error: { attribute: false } };
  declare app: AppState;
  declare view: TaskView;
  declare error: RecordingMismatchError;

  override render(): TemplateResult {
    const { expected, actual, step } = this.error;
    const { changedFiles, task } = this.view;
    return html`<div class="failure" role="group" aria-label="The recording no longer fits">
      <h3>The recording no longer fits</h3>
      <p>
        At step ${step} something else happened than when it was recorded. What the recorded model would say next
        belongs to other data, so it is not shown, and there is no answer.
      </p>
      <p>Lines marked - were recorded, those marked + happened now:</p>
      <vitrine-app-source-difference .replaced=${expected} .source=${actual}></vitrine-app-source-difference>
      <div class="row">
        ${
          changedFiles.length === 0
            ? nothing
            : html`<button type="button" class="btn" @click=${() => void this.#restore()}>
                Put the task's files back and run again
              </button>`
        }
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-settings", { record: task })}>
          Record it anew with a model of yours
        </button>
      </div>
    </div>`;
  }

  async #restore(): Promise<void> {
    await this.app.tasks.restoreFiles(this.view);
    await this.app.runTask(this.view.task);
  }
}
customElements.define("vitrine-app-mismatch", MismatchCard);
