import Papa, { type ParseError } from "papaparse";

import { shortenUnitsTo, type ContentFacts } from "../../src/protocol/index.js";
import { ContentFault } from "./content-fault.js";
import type { Look } from "./look.js";
import { LONGEST_NAME } from "./text-content.js";
import { positionOf } from "./text.js";

/** Columns that are told by name. */
const MOST_COLUMNS = 1000;

export function readCsv(text: string, look: Look): ContentFacts {
  const table = new Table(look);
  let delimiter = ",";
  Papa.parse<readonly string[]>(text, {
    skipEmptyLines: true,
    step: ({ data, errors, meta }, parser) => {
      ({ delimiter } = meta);
      for (const error of errors) table.hear(error, text);
      table.add(data);
      if (table.fault !== undefined) parser.abort();
    },
  });
  if (table.fault !== undefined) throw table.fault;
  table.compareRows();
  const { header, rows } = table;
  return {
    ...{ format: "csv", rows, columns: header.length, delimiter },
    header: header.slice(0, MOST_COLUMNS).map((name) => shortenUnitsTo(name, LONGEST_NAME)),
  };
}

class Table {
  /** What ends the reading. An error thrown in the middle of it would leave the parser's own state. */
  fault: ContentFault | undefined;
  header: readonly string[] = [];
  rows = -1;
  readonly #look: Look;
  readonly #ragged: { readonly row: number; readonly cells: number }[] = [];
  #raggedRows = 0;
  #cells = 0;

  constructor(look: Look) {
    this.#look = look;
  }

  add(cells: readonly string[]): void {
    this.rows += 1;
    this.#cells += cells.length;
    if (this.#cells > this.#look.limits.parts) {
      this.fault ??= new ContentFault("too_many_parts", `it has more than ${String(this.#look.limits.parts)} cells`);
    }
    if (this.rows === 0) this.header = cells;
    else if (cells.length !== this.header.length) {
      this.#raggedRows += 1;
      if (this.#ragged.length < 3) this.#ragged.push({ row: this.rows, cells: cells.length });
    }
  }

  hear({ type, code, index }: ParseError, text: string): void {
    if (type !== "Quotes") return;
    const position = positionOf(text, index ?? -1);
    if (code === "MissingQuotes")
      this.fault ??= new ContentFault("csv_parse_failed", "a quoted cell is not closed", position);
    else this.#look.odd("odd_quotes", "after a quoted cell there is more than a delimiter", position);
  }

  compareRows(): void {
    const columns = this.header.length;
    if (this.#raggedRows > 0) {
      const examples = this.#ragged.map(({ row, cells }) => `row ${String(row)} has ${String(cells)}`).join(", ");
      const those = `${String(this.#raggedRows)} of ${String(this.rows)} rows have another number of cells than the header`;
      this.#look.odd("ragged_rows", `${those}, which has ${String(columns)}: ${examples}`);
    }
    const names = this.header.slice(0, MOST_COLUMNS);
    const repeated = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
    if (repeated !== undefined) {
      this.#look.odd("repeated_column", `two columns are named '${shortenUnitsTo(repeated, 50)}'`);
    }
  }
}
