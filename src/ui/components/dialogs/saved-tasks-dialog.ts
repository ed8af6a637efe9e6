import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import "./saved-tasks-list.js";
import { DialogElement } from "../base/dialog-element.js";

/** The saved tasks, when the transcript has others in their place. */
export class SavedTasksDialog extends DialogElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #isOpen = false;

  open(): void {
    void this.app.saved.refresh();
    this.#isOpen = true;
    this.show();
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.#isOpen) return nothing;
    return html`<dialog class="dialog" aria-labelledby="saved-tasks-title" @close=${this.closed}>
      <header>
        <h2 id="saved-tasks-title">Earlier tasks</h2>
        <button type="button" class="btn ghost" @click=${this.close}>Close</button>
      </header>
      <div class="body"><vitrine-app-saved-tasks .app=${this.app} .leave=${this.close}></vitrine-app-saved-tasks></div>
    </dialog>`;
  }

  protected override forget(): void {
    this.#isOpen = false;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-saved-tasks-dialog", SavedTasksDialog);
