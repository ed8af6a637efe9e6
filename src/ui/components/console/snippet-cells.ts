import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { highlightedPython } from "../../drawing/highlight.js";
import type { Observable } from "../../state/text/observable.js";
import type { PythonConsole } from "../../state/console/python-console.js";
import type { Snippet } from "../../state/console/snippets.js";
import { ViewElement } from "../base/view-element.js";

/** Cells of the console that are ready to run. */
export class SnippetCells extends ViewElement {
  static override properties = { console: { attribute: false } };
  declare console: PythonConsole;

  protected override sources(): readonly Observable[] {
    return [this.console];
  }

  override render(): TemplateResult | typeof nothing {
    const { snippets } = this.console;
    if (snippets.length === 0) return nothing;
    return html`<section class="snippets" aria-label="Ready to run">
      <p class="hint">Ready to run:</p>
      ${repeat(
        snippets,
        (snippet) => snippet,
        (snippet, index) => this.#cell(snippet, index === 0),
      )}
    </section>`;
  }

  #cell(snippet: Snippet, isFirst: boolean): TemplateResult {
    const { title, code } = snippet;
    return html`<details class="snippet" name="snippet" ?open=${isFirst}>
      <summary>${title}</summary>
      <pre class="code small" tabindex="0" ${highlightedPython(code)}></pre>
      <div class="row">
        <button
          type="button"
          class="btn"
          aria-label=${`Run: ${title}`}
          @click=${() => void this.console.runSnippet(snippet)}
        >
          Run
        </button>
        <button type="button" class="btn ghost" aria-label=${`Edit: ${title}`} @click=${() => this.#edit(code)}>
          Edit first
        </button>
      </div>
    </details>`;
  }

  async #edit(code: string): Promise<void> {
    const editor = this.closest("vitrine-app-console")?.querySelector("vitrine-app-python-editor");
    // It is loaded on its own, and may be there later than this button.
    await customElements.whenDefined("vitrine-app-python-editor");
    await editor?.edit(code);
  }
}
customElements.define("vitrine-app-snippet-cells", SnippetCells);
