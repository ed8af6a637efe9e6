import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import { DialogElement } from "../base/dialog-element.js";

/** What a path is asked for. */
export interface PathQuestion {
  readonly title: string;
  /** What the field holds at first. */
  readonly path: string;
  /** The word on the button. */
  readonly action: string;
  readonly note: string;
  /** @throws what is wrong with the path, which the dialog shows. */
  readonly use: (path: string) => Promise<void>;
}

/** Asks where in `/workspace` something is to be. */
export class PathDialog extends DialogElement {
  #question: PathQuestion | undefined;
  #problem = "";
  #busy = false;

  ask(question: PathQuestion): void {
    this.#question = question;
    this.#problem = "";
    this.#busy = false;
    this.show();
    void this.updateComplete.then(() => {
      const input = this.querySelector("input");
      if (input === null) return;
      input.value = question.path;
      input.focus();
      // The name without its ending is what most change.
      const name = question.path.lastIndexOf("/") + 1;
      const dot = question.path.lastIndexOf(".");
      input.setSelectionRange(name, dot > name ? dot : question.path.length);
    });
  }

  override render(): TemplateResult | typeof nothing {
    const question = this.#question;
    if (question === undefined) return nothing;
    const { title, action, note } = question;
    return html`<dialog class="dialog" aria-labelledby="path-title" @close=${this.closed}>
      <form @submit=${this.#submit}>
        <header><h2 id="path-title">${title}</h2></header>
        <div class="body">
          <label class="field">
            <span>Path in /workspace</span>
            <input
              type="text"
              class="code-input"
              autocomplete="off"
              autocapitalize="off"
              spellcheck="false"
              required
              aria-describedby="path-note"
            />
          </label>
          <p class="hint" id="path-note">${note}</p>
          ${this.#problem === "" ? nothing : html`<p class="notice bad" role="alert">${this.#problem}</p>`}
        </div>
        <footer>
          <button type="button" class="btn" @click=${this.close}>Cancel</button>
          <button type="submit" class="btn primary" ?disabled=${this.#busy}>${action}</button>
        </footer>
      </form>
    </dialog>`;
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    const path = (this.querySelector("input")?.value ?? "").trim().replace(/^\/?workspace\/|^\//, "");
    if (!this.#busy) void this.#use(path);
  };

  async #use(path: string): Promise<void> {
    const question = this.#question;
    this.#busy = true;
    this.requestUpdate();
    try {
      await question?.use(path);
      this.close();
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.#busy = false;
    this.requestUpdate();
  }

  protected override forget(): void {
    this.#question = undefined;
    this.requestUpdate();
  }
}
customElements.define("vitrine-app-path-dialog", PathDialog);

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-path-dialog": PathDialog;
  }
}
