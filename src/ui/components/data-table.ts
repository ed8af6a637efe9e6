import { html, nothing, type TemplateResult } from "lit";

import { isNumeric, type TextTable } from "../state/csv.js";
import { formatCount } from "../state/format.js";
import { ViewElement } from "./view-element.js";

/** Rows of a table, the first ones until more are asked for. */
export class DataTable extends ViewElement {
  static override properties = { table: { attribute: false }, limit: { type: Number }, label: {} };
  declare table: TextTable | undefined;
  /** Rows that are shown at first, and how many more a click brings. 0: that many and no button. */
  declare limit: number;
  declare label: string;
  #more = 0;

  constructor() {
    super();
    this.limit = 100;
    this.label = "Table";
  }

  override render(): TemplateResult | typeof nothing {
    const { table } = this;
    if (table === undefined) return nothing;
    const preview = this.limit < 20;
    const shown = table.rows.slice(0, this.limit + this.#more);
    const columns = preview ? table.columns.slice(0, 5) : table.columns;
    const numeric = columns.map((_column, index) => isNumeric(table, index));
    const rest = table.total - shown.length;
    const hidden = table.columns.length - columns.length;
    return html`<div class="scroller" tabindex="0" role="region" aria-label=${this.label}>
        <table class="data">
          <thead>
            <tr>
              ${columns.map((column, index) => html`<th scope="col" class=${numeric[index] === true ? "number" : ""}>${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (row) =>
                html`<tr>
                  ${columns.map((_column, index) => html`<td class=${numeric[index] === true ? "number" : ""}>${row[index] ?? ""}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${rest > 0 || hidden > 0 ? this.#restLine(rest, hidden, preview) : nothing}`;
  }

  #restLine(rest: number, hidden: number, preview: boolean): TemplateResult {
    const parts = [
      ...(rest > 0 ? [formatCount(rest, "more row")] : []),
      ...(hidden > 0 ? [formatCount(hidden, "more column")] : []),
    ];
    const canShow = (this.table?.rows.length ?? 0) > this.limit + this.#more;
    return html`<p class="hint rest">
      ${parts.join(", ")}
      ${
        preview || !canShow
          ? nothing
          : html`<button
              type="button"
              class="quiet-link"
              @click=${() => {
                this.#more += 200;
                this.requestUpdate();
              }}
            >
              Show more
            </button>`
      }
    </p>`;
  }
}
customElements.define("vitrine-data-table", DataTable);
