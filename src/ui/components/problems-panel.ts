import { html, nothing, type TemplateResult } from "lit";

import type { AppState } from "../state/app-state.js";
import type { Observable } from "../state/observable.js";
import { ViewElement } from "./view-element.js";

/** What could not be used and was left out, while the rest went on. */
export class ProblemsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    return html`<p class="hint">These were left out; everything else works.</p>
      <ul class="problems">
        ${this.app.shelf.problems.map(
          ({ file, line, field, message }) =>
            html`<li>
              <code
                >${file}${line === undefined ? nothing : html`, line ${line}`}${field === undefined ? nothing : html`, ${field}`}</code
              >
              <p>${message}</p>
            </li>`,
        )}
      </ul>`;
  }
}
customElements.define("vitrine-problems", ProblemsPanel);
