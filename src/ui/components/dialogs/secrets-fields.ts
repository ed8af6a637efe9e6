import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import type { AppState } from "../../state/app-state.js";
import { ViewElement } from "../base/view-element.js";

/** The secrets that tool files may name. They are set and removed at once, not with the rest of the settings. */
export class SecretsFields extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #names: readonly string[] = [];
  #problem = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
  }

  override render(): TemplateResult {
    return html`<fieldset>
      <legend>Secrets for tools</legend>
      <p class="hint">
        A tool file names a secret as <code>\${API_KEY}</code>. Values stay on this page: Python, the model and the
        trace never see them.
      </p>
      ${
        this.#names.length === 0
          ? nothing
          : html`<ul class="plain-list">
              ${this.#names.map(
                (name) =>
                  html`<li class="row">
                    <code>${name}</code>
                    <button
                      type="button"
                      class="quiet-link"
                      aria-label=${`Remove the secret ${name}`}
                      @click=${() => void this.#remove(name)}
                    >
                      Remove
                    </button>
                  </li>`,
              )}
            </ul>`
      }
      <div class="limits" @keydown=${this.#key}>
        <label class="field"
          ><span>Name of the secret</span
          ><input type="text" id="secret-name" autocomplete="off" spellcheck="false" placeholder="API_KEY"
        /></label>
        <label class="field"
          ><span>Its value</span><input type="password" id="secret-value" autocomplete="off"
        /></label>
      </div>
      <label class="check"
        ><input type="checkbox" id="secret-keep" /><span
          >Keep this secret on this device<span class="hint"
            >In localStorage. Otherwise it is gone when you leave the page.</span
          ></span
        ></label
      >
      ${this.#problem === "" ? nothing : html`<p class="notice bad" role="alert">${this.#problem}</p>`}
      <div class="row"><button type="button" class="btn" @click=${() => void this.#add()}>Add the secret</button></div>
    </fieldset>`;
  }

  async #read(): Promise<void> {
    this.#names = await this.app.secrets.names();
    this.requestUpdate();
  }

  async #add(): Promise<void> {
    const name = this.querySelector<HTMLInputElement>("#secret-name");
    const value = this.querySelector<HTMLInputElement>("#secret-value");
    const keep = this.querySelector<HTMLInputElement>("#secret-keep")?.checked ?? false;
    if (name === null || value === null) return;
    try {
      if (!/^[A-Za-z_]\w*$/.test(name.value.trim()))
        throw new Error("A secret's name has letters, digits and underscores, as in API_KEY.");
      if (value.value === "") throw new Error("Paste the value of the secret.");
      await this.app.secrets.set(name.value.trim(), value.value, { keep });
      name.value = value.value = "";
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
    await this.#read();
  }

  async #remove(name: string): Promise<void> {
    await this.app.secrets.delete(name);
    await this.#read();
    this.querySelector<HTMLElement>("#secret-name")?.focus();
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    // It would save and close the settings around it.
    event.preventDefault();
    void this.#add();
  };
}
customElements.define("vitrine-app-secrets", SecretsFields);
