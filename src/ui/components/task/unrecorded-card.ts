import { html, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** The recorded model has no answer to a task: what can be done without one. */
export class UnrecordedCard extends ViewElement {
  static override properties = { app: { attribute: false }, task: {} };
  declare app: AppState;
  declare task: string;

  override render(): TemplateResult {
    return html`<div class="failure calm" role="group" aria-label="The demo has no recorded answer to this">
      <h3>The demo has no recorded answer to this</h3>
      <p>
        Its answers were recorded, so that you can try it without a key. Python itself is real: use it on your own data,
        or bring a model for your own questions.
      </p>
      <div class="row">
        <button type="button" class="btn primary" @click=${() => emit(this, "vitrine-try-python", { task: this.task })}>
          Try it in Python
        </button>
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-settings")}>Bring a model</button>
      </div>
      <p class="hint">Recorded tasks:</p>
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
    </div>`;
  }
}
customElements.define("vitrine-app-unrecorded", UnrecordedCard);
