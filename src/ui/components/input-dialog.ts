import { html, nothing, type TemplateResult } from "lit";

import type { AppState, InputRequest } from "../state/app-state.js";
import type { Observable } from "../state/observable.js";
import { ViewElement } from "./view-element.js";

/** Asks the user for the line that `input()` waits for. */
export class InputDialog extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #shown: InputRequest | null = null;

  protected override sources(): readonly Observable[] {
    return [this.app];
  }

  override render(): TemplateResult | typeof nothing {
    const { input } = this.app;
    if (input === null) return nothing;
    return html`<dialog class="dialog small" aria-labelledby="input-title" @close=${() => this.#answer(null)}>
      <form
        @submit=${(event: Event) => {
          event.preventDefault();
          this.#answer(this.querySelector("input")?.value ?? "");
        }}
      >
        <header><h2 id="input-title">The code asks for a line</h2></header>
        <div class="body">
          <label class="field"
            ><span>${input.prompt === "" ? "input()" : input.prompt}</span
            ><input type="text" autocomplete="off" autofocus
          /></label>
        </div>
        <footer>
          <button type="button" class="btn" @click=${() => this.#answer(null)}>No answer</button>
          <button type="submit" class="btn primary">Answer</button>
        </footer>
      </form>
    </dialog>`;
  }

  override updated(): void {
    const { input } = this.app;
    if (input !== null && input !== this.#shown) this.querySelector("dialog")?.showModal();
    this.#shown = input;
  }

  #answer(text: string | null): void {
    this.app.input?.answer(text);
  }
}
customElements.define("vitrine-input-dialog", InputDialog);
