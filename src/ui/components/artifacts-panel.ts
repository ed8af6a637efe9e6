import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { download } from "../drawing/download.js";
import type { AppState } from "../state/app-state.js";
import type { Observable } from "../state/observable.js";
import "./artifact-card.js";
import { ListPart } from "./list-part.js";
import { ViewElement } from "./view-element.js";

/** The artifacts, shown and not only listed. */
export class ArtifactsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  // Each reads its artifact and draws a look at it.
  readonly #part = new ListPart(this, { step: 20, focusable: "vitrine-artifact header .name" });
  #packing = false;
  #problem = "";

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    const { artifacts } = this.app.shelf;
    if (artifacts.length === 0) {
      return html`<div class="nothing-yet">
        <p><b>Results appear here</b></p>
        <p class="hint">
          Tables, charts and reports that code saves with <code>artifacts.save(…)</code>. They stay after a reload.
        </p>
        <p class="hint">To work with a file of your own, drop it anywhere on this page. It is not uploaded.</p>
      </div>`;
    }
    return html`<div class="row">
        <button type="button" class="btn" ?disabled=${this.#packing} @click=${() => void this.#downloadAll()}>
          ${this.#packing ? "Packing…" : "Download all (.zip)"}
        </button>
        ${this.#problem === "" ? nothing : html`<span class="hint">${this.#problem}</span>`}
      </div>
      ${repeat(
        this.#part.of(artifacts),
        ({ name }) => name,
        (artifact) => html`<vitrine-artifact .app=${this.app} .artifact=${artifact}></vitrine-artifact>`,
      )}
      ${this.#part.rest(artifacts, "artifact")}`;
  }

  async #downloadAll(): Promise<void> {
    this.#packing = true;
    this.requestUpdate();
    // The word is drawn before the packing keeps the page busy.
    await new Promise((resolve) => setTimeout(resolve, 30));
    try {
      download("artifacts.zip", await this.app.zipArtifacts());
      this.#problem = "";
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    this.#packing = false;
    this.requestUpdate();
  }
}
customElements.define("vitrine-artifacts", ArtifactsPanel);
