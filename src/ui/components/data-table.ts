import { html, nothing, type TemplateResult } from "lit";

import { isNumeric, type TextTable } from "../state/csv.js";
import { formatCount } from "../state/format.js";
import { ViewElement } from "./view-element.js";

/** Cells that are drawn at once, and characters of one. */
const MOST_CELLS = 4000;
const LONGEST_CELL = 2000;

/** Rows of a table, the first ones until more are asked for. */
export class DataTable extends ViewElement {
  static override properties = { table: { attribute: false }, limit: { type: Number }, label: {} };
  declare table: TextTable | undefined;
  /** Rows that are shown at first, and how many more a click brings; fewer of a wide table. */
  declare limit: number;
  declare label: string;
  #steps = 1;

  constructor() {
    super();
    this.limit = 100;
    this.label = "Table";
  }

  override render(): TemplateResult | typeof nothing {
    const { table } = this;
    if (table === undefined) return nothing;
    const preview = this.limit < 20;
    const columns = preview ? table.columns.slice(0, 5) : table.columns;
    const step = Math.min(this.limit, Math.ceil(MOST_CELLS / Math.max(1, columns.length)));
    const shown = table.rows.slice(0, step * this.#steps);
    const numeric = columns.map((_column, index) => isNumeric(table, index));
    const rest = table.total - shown.length;
    const hidden = table.columnCount - columns.length;
    return html`<div class="scroller" tabindex="0" role="region" aria-label=${this.label}>
        <table class="data">
          <thead>
            <tr>
              ${columns.map((column, index) => html`<th scope="col" class=${numeric[index] === true ? "number" : ""}>${cell(column)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              (row) =>
                html`<tr>
                  ${columns.map((_column, index) => html`<td class=${numeric[index] === true ? "number" : ""}>${cell(row[index])}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${rest > 0 || hidden > 0 ? this.#restLine(rest, hidden, !preview && shown.length < table.rows.length) : nothing}`;
  }

  #restLine(rest: number, hidden: number, canShow: boolean): TemplateResult {
    const parts = [
      ...(rest > 0 ? [formatCount(rest, "more row")] : []),
      ...(hidden > 0 ? [formatCount(hidden, "more column")] : []),
    ];
    return html`<p class="hint rest">
      ${parts.join(", ")}
      ${
        canShow
          ? html`<button
              type="button"
              class="quiet-link"
              @click=${() => {
                this.#steps += 1;
                this.requestUpdate();
              }}
            >
              Show more
            </button>`
          : nothing
      }
    </p>`;
  }
}
customElements.define("vitrine-data-table", DataTable);

function cell(text = ""): string {
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
}
