import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";

import { shortenUnits } from "../../../protocol/index.js";
import { DrawingPace } from "../../drawing/drawing-pace.js";
import { isNumeric, type TextTable } from "../../state/text/csv.js";
import { formatCount } from "../../state/text/format.js";
import { define, ViewElement } from "../base/view-element.js";

/** Cells that are drawn at once, and characters of one. */
const MOST_CELLS = 4000;
const LONGEST_CELL = 2000;
/** Cells that count as one thing where few things are drawn in a frame. */
const CELLS_A_THING = 100;

/** Rows that were drawn in one frame: from which, and up to which. */
type Batch = readonly [from: number, to: number];

/** Rows of a table, the first ones until more are asked for. */
export class DataTable extends ViewElement {
  static override properties = { table: { attribute: false }, limit: { type: Number }, label: {} };
  declare table: TextTable | undefined;
  /** Rows that are shown at first, and how many more a click brings; fewer of a wide table. */
  declare limit: number;
  declare label: string;
  #steps = 1;
  #numeric: readonly boolean[] = [];
  #batches: readonly Batch[] = [];
  readonly #pace = new DrawingPace();
  #goesOn: Promise<void> | undefined;

  constructor() {
    super();
    this.limit = 100;
    this.label = "Table";
  }

  get #isPreview(): boolean {
    return this.limit < 20;
  }

  get #columns(): readonly string[] {
    const columns = this.table?.columns ?? [];
    return this.#isPreview ? columns.slice(0, 5) : columns;
  }

  /** Rows that are to be seen, drawn or not yet. */
  get #wanted(): number {
    const step = Math.min(this.limit, Math.ceil(MOST_CELLS / Math.max(1, this.#columns.length)));
    return Math.min(this.table?.rows.length ?? 0, step * this.#steps);
  }

  get #drawn(): number {
    return this.#batches.at(-1)?.[1] ?? 0;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const { table } = this;
    if (changed.has("table") || changed.has("limit")) {
      this.#batches = [];
      this.#numeric = table === undefined ? [] : this.#columns.map((_column, index) => isNumeric(table, index));
    }
    const [drawn, wanted] = [this.#drawn, this.#wanted];
    if (drawn >= wanted) return;
    const things = this.#pace.begin();
    if (things === 0) return;
    const rows = Math.ceil((things * CELLS_A_THING) / Math.max(1, this.#columns.length));
    this.#batches = [...this.#batches, [drawn, Math.min(wanted, drawn + rows)]];
  }

  protected override updated(): void {
    this.#goesOn = this.#drawn < this.#wanted ? this.#drawOn() : undefined;
  }

  /** Thousands of cells in one frame would hold the page up. */
  async #drawOn(): Promise<void> {
    await this.#pace.rest();
    this.requestUpdate();
  }

  /** Once all rows are drawn. */
  protected override async getUpdateComplete(): Promise<boolean> {
    let isDone = await super.getUpdateComplete();
    while (this.#goesOn !== undefined) {
      await this.#goesOn;
      isDone = await super.getUpdateComplete();
    }
    return isDone;
  }

  override render(): TemplateResult | typeof nothing {
    const { table } = this;
    if (table === undefined) return nothing;
    const preview = this.#isPreview;
    const columns = this.#columns;
    const numeric = this.#numeric;
    const rest = table.total - this.#wanted;
    const hidden = table.columnCount - columns.length;
    return html`<div class="scroller" tabindex="0" role="group" aria-label=${this.label}>
        <table class="data">
          <thead>
            <tr>
              ${columns.map((column, index) => html`<th scope="col" class=${numeric[index] === true ? "number" : ""}>${cell(column)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${this.#batches.map(([from, to]) => guard([table, from, to], () => this.#rows(table.rows.slice(from, to))))}
          </tbody>
        </table>
      </div>
      ${rest > 0 || hidden > 0 ? this.#restLine(rest, hidden, !preview && this.#wanted < table.rows.length) : nothing}`;
  }

  #rows(rows: TextTable["rows"]): TemplateResult[] {
    const numeric = this.#numeric;
    return rows.map(
      (row) =>
        html`<tr>
          ${numeric.map((isNumber, index) => html`<td class=${isNumber ? "number" : ""}>${cell(row[index])}</td>`)}
        </tr>`,
    );
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
define("vitrine-app-data-table", DataTable);

function cell(text = ""): string {
  return shortenUnits(text, LONGEST_CELL);
}
