import { html, nothing, type TemplateResult } from "lit";

import { signature } from "../../tools/index.js";
import { highlightPython } from "../drawing/highlight.js";
import type { AppState } from "../state/app-state.js";
import type { Observable } from "../state/observable.js";
import { ViewElement } from "./view-element.js";

/** The tools that code can call, as code calls them. */
export class ToolsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    const { tools } = this.app.shelf;
    if (tools.length === 0) return html`<p class="hint">There are no tools.</p>`;
    return html`${tools.map(
      (tool) =>
        html`<article class="item">
          <h3><code>tools.${tool.name}</code></h3>
          ${tool.description === "" ? nothing : html`<p class="hint">${tool.description}</p>`}
          ${tool.callables.map(
            (callable) =>
              html`<pre class="code small" tabindex="0">${highlightPython(signature(callable))}</pre>
                ${callable.description === "" || callable.description === tool.description ? nothing : html`<p class="hint">${callable.description}</p>`}`,
          )}
        </article>`,
    )}`;
  }
}
customElements.define("vitrine-tools", ToolsPanel);
