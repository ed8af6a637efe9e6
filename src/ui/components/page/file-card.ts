import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../../state/app-state.js";
import { formatBytes, formatCount } from "../../state/text/format.js";
import type { FileView } from "../../state/task/given-files.js";
import type { Observable } from "../../state/text/observable.js";
import { fileSnippets, type Snippet } from "../../state/console/snippets.js";
import "../content/content-view.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** A file that the user handed over: a look at it, and what can be done with it. */
export class FileCard extends ViewElement {
  static override properties = { app: { attribute: false }, file: { attribute: false }, isThere: { type: Boolean } };
  declare app: AppState;
  declare file: FileView;
  /** Whether code finds it in the workspace. */
  declare isThere: boolean;

  protected override sources(): readonly Observable[] {
    return [this.app.settings];
  }

  override render(): TemplateResult {
    const { path, size, form } = this.file;
    const snippets = fileSnippets(this.file);
    const hasModel = this.app.tasks.modelCanGoOn;
    return html`<article class="file-card" aria-label=${path}>
      <header>
        <h2 class="task" tabindex="-1">${path}</h2>
        <p class="meta">${formatBytes(size)}${shape(this.file)} · stays on this device</p>
      </header>
      <div class="card view">
        <vitrine-app-content-view .form=${form} .label=${path}></vitrine-app-content-view>
      </div>
      <section aria-label="Try it in Python">
        <h3>Try it in Python</h3>
        <ul class="plain-list tries">
          ${snippets.map(
            (snippet) =>
              html`<li>
                <button
                  type="button"
                  class="btn"
                  ?disabled=${!this.isThere}
                  @click=${() => {
                    this.#run(snippet, snippets);
                  }}
                >
                  ${snippet.title}
                </button>
              </li>`,
          )}
        </ul>
        ${this.isThere ? nothing : html`<p class="hint" role="status">Waiting for Python to start.</p>`}
      </section>
      <p class="hint">
        ${
          hasModel
            ? "Or ask your model about it below."
            : html`This demo's answers are recorded, so it cannot answer questions about your file.
                <button type="button" class="link" @click=${() => emit(this, "vitrine-settings")}>Bring a model</button>
                for those.`
        }
      </p>
    </article>`;
  }

  #run(snippet: Snippet, all: readonly Snippet[]): void {
    this.app.console.suggest(all);
    emit(this, "vitrine-try-python", { task: "", run: snippet });
  }
}
customElements.define("vitrine-app-file-card", FileCard);

function shape({ form }: FileView): string {
  if (form.kind !== "table") return "";
  const { total, columnCount } = form.table;
  return ` · ${formatCount(total, "row")}, ${formatCount(columnCount, "column")}`;
}
