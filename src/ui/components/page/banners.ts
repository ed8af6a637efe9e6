import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import { ViewElement } from "../base/view-element.js";

/** What the user has to know about the whole page: a storage that refuses, a Python that did not start. */
export class Banners extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  #hidden = new Set<string>();

  protected override sources(): readonly Observable[] {
    return [this.app, this.app.session];
  }

  override render(): TemplateResult {
    const { storage, storageTrouble, phase } = this.app.session;
    return html`${phase.kind === "failed" ? this.#failed(phase.error) : nothing}
    ${
      storageTrouble === null
        ? nothing
        : this.#banner(
            html`${storageTrouble}`,
            html`<button type="button" class="btn" @click=${() => void this.app.goOnInMemory()}>
              Go on in memory
            </button>`,
          )
    }
    ${storage.kind === "memory" && !this.#hidden.has("memory") ? this.#memory(storage) : nothing}
    ${
      this.app.trouble === ""
        ? nothing
        : this.#banner(
            html`${this.app.trouble}`,
            html`<button
              type="button"
              class="btn"
              @click=${() => {
                this.app.setTrouble("");
              }}
            >
              Dismiss
            </button>`,
          )
    }`;
  }

  #failed(error: Error): TemplateResult {
    return this.#banner(
      html`<b>Python does not run.</b> ${error.message}`,
      html`<button type="button" class="btn" @click=${() => void this.app.start()}>Start it</button>`,
    );
  }

  #memory({ reason, advice }: { readonly reason: string; readonly advice: string }): TemplateResult {
    return this.#banner(
      html`<b>Kept in memory only.</b> ${reason} Artifacts, files and skills are gone when you leave the page. ${advice}`,
      html`<button
        type="button"
        class="btn"
        @click=${() => {
          this.#hidden.add("memory");
          this.requestUpdate();
        }}
      >
        Understood
      </button>`,
    );
  }

  #banner(text: TemplateResult, action: TemplateResult): TemplateResult {
    return html`<div class="banner" role="alert"><span>${text}</span>${action}</div>`;
  }
}
customElements.define("vitrine-app-banners", Banners);
