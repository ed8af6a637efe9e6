import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import type { Artifact } from "../../../artifacts/index.js";
import { messageOf } from "../../../protocol/index.js";
import { download } from "../../drawing/download.js";
import type { AppState } from "../../state/app-state.js";
import { contentForm, type ContentForm } from "../../state/text/content-form.js";
import { formatAge, formatBytes } from "../../state/text/format.js";
import "../content/content-view.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** Bytes beyond which a card does not read the artifact by itself. */
const LARGEST_PREVIEW = 4_000_000;

/** One artifact: a look at it, and what can be done with it. */
export class ArtifactCard extends ViewElement {
  static override properties = { app: { attribute: false }, artifact: { attribute: false } };
  declare app: AppState;
  declare artifact: Artifact | undefined;
  #form: ContentForm | undefined;
  #problem = "";

  override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("artifact");
    const now = this.artifact;
    const same = before?.name === now?.name && before?.createdAt.getTime() === now?.createdAt.getTime();
    if (changed.has("artifact") && !same) void this.#load();
  }

  override render(): TemplateResult | typeof nothing {
    const { artifact } = this;
    if (artifact === undefined) return nothing;
    const { name, size, createdAt, description } = artifact;
    return html`<article class="artifact" aria-label=${name}>
      <header>
        <button type="button" class="name" title="Open" @click=${() => emit(this, "vitrine-open-artifact", name)}>
          ${name}
        </button>
        <small>${formatBytes(size)} · ${formatAge(createdAt)}</small>
      </header>
      <div class="view">
        ${this.#problem === "" ? nothing : html`<p class="notice">${this.#problem}</p>`}
        <vitrine-app-content-view
          .form=${this.#form}
          .label=${description === "" ? name : description}
        ></vitrine-app-content-view>
      </div>
      <footer>
        ${description === "" ? nothing : html`<p class="hint">${description}</p>`}
        <button
          type="button"
          class="quiet-link"
          aria-label=${`Open ${name}`}
          @click=${() => emit(this, "vitrine-open-artifact", name)}
        >
          Open
        </button>
        <button type="button" class="quiet-link" aria-label=${`Download ${name}`} @click=${() => void this.#download()}>
          Download
        </button>
        <button type="button" class="quiet-link" aria-label=${`Delete ${name}`} @click=${() => void this.#delete()}>
          Delete
        </button>
      </footer>
    </article>`;
  }

  async #load(): Promise<void> {
    const { artifact } = this;
    const session = this.app.session.current;
    if (artifact === undefined || session === undefined) return;
    try {
      if (artifact.size > LARGEST_PREVIEW) this.#form = { kind: "binary", size: artifact.size };
      else this.#form = contentForm(artifact.name, await session.artifacts.loadBytes(artifact.name));
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.requestUpdate();
  }

  async #download(): Promise<void> {
    const { artifact } = this;
    const session = this.app.session.current;
    if (artifact === undefined || session === undefined) return;
    try {
      download(artifact.name, await session.artifacts.loadBytes(artifact.name));
    } catch (error) {
      this.#problem = messageOf(error);
      this.requestUpdate();
    }
  }

  async #delete(): Promise<void> {
    const { artifact } = this;
    if (artifact === undefined || !confirm(`Delete ${artifact.name}? It cannot be had back.`)) return;
    try {
      await this.app.session.current?.artifacts.delete(artifact.name);
      this.app.announce(`${artifact.name} was deleted.`);
    } catch (error) {
      this.#problem = messageOf(error);
      this.requestUpdate();
    }
  }
}
customElements.define("vitrine-app-artifact", ArtifactCard);
