import { html, nothing, type TemplateResult } from "lit";

import type { Problem } from "../../../protocol/index.js";
import type { AppState } from "../../state/app-state.js";
import type { Observable } from "../../state/text/observable.js";
import { ListPart } from "../base/list-part.js";
import { ViewElement } from "../base/view-element.js";

/** What could not be used and was left out, while the rest went on. */
export class ProblemsPanel extends ViewElement {
  static override properties = { app: { attribute: false } };
  declare app: AppState;
  readonly #part = new ListPart<Problem>(this, { step: 50, focusable: ".problems li", together: 5 });

  protected override sources(): readonly Observable[] {
    return [this.app.shelf];
  }

  override render(): TemplateResult {
    const { problems } = this.app.shelf;
    return html`<p class="hint">These were left out; everything else works.</p>
      <ul class="problems">
        ${this.#part.of(problems).map(
          ({ file, line, field, message }) =>
            html`<li tabindex="-1">
              <code
                >${file}${line === undefined ? nothing : html`, line ${line}`}${field === undefined ? nothing : html`, ${field}`}</code
              >
              <p>${message}</p>
            </li>`,
        )}
      </ul>
      ${this.#part.rest(problems, "problem")}`;
  }
}
customElements.define("vitrine-app-problems", ProblemsPanel);
