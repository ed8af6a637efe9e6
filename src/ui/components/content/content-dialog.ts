import { html, nothing, type TemplateResult } from "lit";

import { download } from "../../drawing/download.js";
import type { ContentForm } from "../../state/text/content-form.js";
import { formatBytes } from "../../state/text/format.js";
import { DialogElement } from "../base/dialog-element.js";
import { hasSource } from "./content-view.js";

/** What a dialog shows: an artifact or a file, all of it. */
export interface ShownContent {
  readonly name: string;
  readonly description: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly form: ContentForm;
}

/** An artifact or a file in full. */
export class ContentDialog extends DialogElement {
  static override properties = { content: { attribute: false } };
  declare content: ShownContent | undefined;
  #source = false;

  open(content: ShownContent): void {
    this.content = content;
    this.#source = false;
    this.show();
  }

  override render(): TemplateResult | typeof nothing {
    const { content } = this;
    if (content === undefined) return nothing;
    const { name, description, bytes, form } = content;
    return html`<dialog class="dialog large ${form.kind}" aria-labelledby="content-title" @close=${this.closed}>
      <header>
        <h2 id="content-title">${name}</h2>
        <small>${formatBytes(bytes.byteLength)}</small>
      </header>
      <div class="body">
        ${description === "" ? nothing : html`<p class="hint">${description}</p>`}
        <vitrine-app-content-view full .form=${form} .label=${name} ?source=${this.#source}></vitrine-app-content-view>
      </div>
      <footer>
        ${
          hasSource(form)
            ? html`<button
                type="button"
                class="btn ghost"
                aria-pressed=${this.#source}
                @click=${() => {
                  this.#source = !this.#source;
                  this.requestUpdate();
                }}
              >
                ${this.#source ? "Show it drawn" : "Show its text"}
              </button>`
            : nothing
        }
        <span class="spacer"></span>
        <button type="button" class="btn" @click=${() => download(name, bytes)}>Download</button>
        <button type="button" class="btn primary" autofocus @click=${this.close}>Close</button>
      </footer>
    </dialog>`;
  }

  protected override forget(): void {
    this.content = undefined;
  }
}
customElements.define("vitrine-app-content-dialog", ContentDialog);
