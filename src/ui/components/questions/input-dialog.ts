import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";

import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import type { PendingQuestion } from "../../state/questions/questions.js";
import { ViewElement } from "../base/view-element.js";

/** Asks the user for the line that `input()` waits for where no task shows it, one after the other. */
export class InputDialog extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #shown: PendingQuestion | null = null;

  protected override sources(): readonly Observable[] {
    return [this.app.questions];
  }

  /** Closed, a dialog gives the focus back to what had it; drawn away, it leaves that to chance. */
  protected override willUpdate(): void {
    const question = this.app.questions.placeless;
    if (question === this.#shown) return;
    this.#shown = question;
    this.querySelector("dialog")?.close();
  }

  override render(): TemplateResult | typeof nothing {
    const question = this.app.questions.placeless;
    if (question === null) return nothing;
    const { asker, text, answer } = question;
    const dialog = html`<dialog
      class="dialog small"
      aria-labelledby="input-title"
      @close=${() => {
        answer(null);
      }}
    >
      <form
        @submit=${(event: Event) => {
          event.preventDefault();
          answer(this.querySelector("input")?.value ?? "");
        }}
      >
        <header><h2 id="input-title">${asker} asks for a line</h2></header>
        <div class="body">
          <label class="field"
            ><span>${text === "" ? "input()" : text}</span><input type="text" autocomplete="off" autofocus
          /></label>
        </div>
        <footer>
          <button
            type="button"
            class="btn"
            @click=${() => {
              answer(null);
            }}
          >
            No answer
          </button>
          <button type="submit" class="btn primary">Answer</button>
        </footer>
      </form>
    </dialog>`;
    // Each has a dialog of its own, and what was written into the one before is not in it.
    return html`${keyed(question, dialog)}`;
  }

  override updated(): void {
    this.querySelector<HTMLDialogElement>("dialog:not([open])")?.showModal();
  }
}
customElements.define("vitrine-app-input-dialog", InputDialog);
