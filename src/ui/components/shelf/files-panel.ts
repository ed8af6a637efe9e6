import { html, nothing, type TemplateResult } from "lit";

import { messageOf } from "../../../protocol/index.js";
import { download } from "../../drawing/download.js";
import type { WorkspaceFile } from "../../../workspace/index.js";
import type { AppState } from "../../state/app-state.js";
import { formatBytes } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import { ListPart } from "../base/list-part.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** The files of `/workspace`. */
export class FilesPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  readonly #part = new ListPart<WorkspaceFile>(this, { step: 100, focusable: ".files .name", together: 10 });
  #problem = "";

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    const { files } = this.app.shelf;
    return html`<div class="row">
        <button type="button" class="btn" @click=${() => emit(this, "vitrine-pick-files")}>Add files</button>
        <span class="hint">or drop them anywhere on the page</span>
      </div>
      ${this.#problem === "" ? nothing : html`<p class="notice">${this.#problem}</p>`}
      ${
        files.length === 0
          ? html`<p class="hint">Python finds your files in <code>/workspace</code>. They stay on this device.</p>`
          : html`<ul class="files">
              ${this.#part.of(files).map(
                ({ path, size, trust }) =>
                  html`<li>
                    <button type="button" class="name" @click=${() => emit(this, "vitrine-open-file", path)}>
                      <span class="hint">/workspace/</span>${path}
                    </button>
                    <small>${formatBytes(size)}${trust === undefined ? nothing : " · written by code"}</small>
                    <span class="row">
                      <button
                        type="button"
                        class="quiet-link"
                        aria-label=${`Ask about ${path}`}
                        @click=${() => {
                          this.app.askAbout([path]);
                        }}
                      >
                        Ask about it
                      </button>
                      <button
                        type="button"
                        class="quiet-link"
                        aria-label=${`Download ${path}`}
                        @click=${() => void this.#download(path)}
                      >
                        Download
                      </button>
                      <button
                        type="button"
                        class="quiet-link"
                        aria-label=${`Delete ${path}`}
                        @click=${() => void this.#delete(path)}
                      >
                        Delete
                      </button>
                    </span>
                  </li>`,
              )}
            </ul>`
      }
      ${this.#part.rest(files, "file")}`;
  }

  async #download(path: string): Promise<void> {
    await this.#attempt(async () => {
      const bytes = await this.app.session.current?.workspace.read(path);
      if (bytes !== undefined) download(path, bytes);
    });
  }

  async #delete(path: string): Promise<void> {
    if (!confirm(`Delete /workspace/${path}? It cannot be had back.`)) return;
    await this.#attempt(async () => {
      await this.app.session.current?.workspace.delete(path);
    });
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#problem = "";
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.requestUpdate();
  }
}
customElements.define("vitrine-files", FilesPanel);
