import { countParts, shorten } from "../../../protocol/index.js";
import { formatCount } from "./format.js";

/** A table as text: what CSV, and JSON arrays of objects, come to. */
export interface TextTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows there are; `rows` may hold fewer. */
  readonly total: number;
  /** Columns there are; `columns` may hold fewer. */
  readonly columnCount: number;
}

/** Columns that are read: each is a cell in every row. */
const MOST_COLUMNS = 200;

/** Keys of all records together, beyond which no more records are read. */
const MOST_KEYS = 100_000;

/** Values in a list or object that is written into a cell, and in all cells together; characters of one text in it. */
const LARGEST_CELL = 1000;
const MOST_PARTS = 50_000;
const LONGEST_PART = 2000;

/** Characters of what is taken for a number. */
const LONGEST_NUMBER = 100;

/**
 * Reads CSV of any usual delimiter (RFC 4180 quotes). The first line names the columns. Null when it is no table.
 *
 * Not by papaparse, which checks content in its worker: it takes one kind of line end for the whole text, what follows a quote
 * that is closed early for the same cell up to the next quote, and 7 kB that would have to be loaded before a table is drawn.
 */
export function parseCsv(text: string, limit = Infinity): TextTable | null {
  const delimiter = findDelimiter(text);
  const rows: string[][] = [];
  let total = 0;
  let columnCount = 0;
  for (const row of readRows(text.replace(/^\uFEFF/, ""), delimiter)) {
    if (row.length === 1 && row[0] === "") continue;
    total += 1;
    if (total === 1) columnCount = row.length;
    if (rows.length <= limit) rows.push(row.slice(0, MOST_COLUMNS));
  }
  const [columns, ...data] = rows;
  if (columns === undefined) return null;
  return { columns, rows: data.slice(0, limit), total: total - 1, columnCount };
}

/**
 * A table of an array of plain objects. Null when `value` is no such array, or there is nothing in its objects. Of very wide
 * objects fewer are read.
 */
export function tableOfRecords(value: unknown, limit = Infinity): TextTable | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const items: unknown[] = value;
  const records: Record<string, unknown>[] = [];
  const names = new Set<string>();
  let keys = 0;
  for (const item of items.slice(0, Math.min(items.length, limit))) {
    if (!isRecord(item)) return null;
    if (keys > MOST_KEYS) break;
    records.push(item);
    for (const name of Object.keys(item)) {
      names.add(name);
      keys += 1;
    }
  }
  if (names.size === 0) return null;
  const columns = [...names].slice(0, MOST_COLUMNS);
  const cells = new CellWriter();
  const rows = records.map((record) => columns.map((column) => cells.write(record[column])));
  return { columns, rows, total: items.length, columnCount: names.size };
}

/** Whether every value of a column is a number or nothing: such a column is set to the right. */
export function isNumeric({ rows }: TextTable, column: number): boolean {
  const values = rows.map((row) => (row[column] ?? "").trim()).filter((value) => value !== "");
  return (
    values.length > 0 &&
    values.every(
      (value) => value.length <= LONGEST_NUMBER && /^[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s?%?$/.test(value),
    )
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes what is in the cells of one table. Of lists and objects only so much is written: others are counted. */
class CellWriter {
  #parts = 0;

  write(value: unknown): string {
    if (value === undefined || value === null) return "";
    if (typeof value === "string") return value;
    if (value instanceof Date) return value.toISOString();
    if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
    if (typeof value !== "object") return "";
    const parts = this.#parts > MOST_PARTS ? Infinity : countParts(value, LARGEST_CELL);
    if (parts > LARGEST_CELL) return summary(value);
    this.#parts += parts;
    return JSON.stringify(value, (_key, item: unknown) => {
      if (typeof item === "bigint") return item.toString();
      return typeof item === "string" ? shorten(item, LONGEST_PART) : item;
    });
  }
}

function summary(value: object): string {
  return Array.isArray(value) ? `[${formatCount(value.length, "item")}]` : "{…}";
}

/** What parts the fields of the first line. */
export function findDelimiter(text: string): string {
  const head = text.slice(0, 2000).split("\n", 1)[0] ?? "";
  const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  counts.sort((a, b) => b.count - a.count);
  return counts[0]?.delimiter ?? ",";
}

function* readRows(text: string, delimiter: string): Iterable<string[]> {
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const { value, next } = readField(text, at, delimiter);
    row.push(value);
    const separator = text[next];
    at = next + 1;
    if (separator === delimiter) continue;
    if (separator === "\r" && text[at] === "\n") at += 1;
    yield row;
    row = [];
    if (separator === undefined) return;
  }
}

function readField(text: string, start: number, delimiter: string): { value: string; next: number } {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
    return { value: text.slice(start, end), next: end };
  }
  let value = "";
  let at = start + 1;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: value + text.slice(at), next: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      at = quote + 1;
      break;
    }
    value += '"';
    at = quote + 2;
  }
  // What follows a closing quote is no CSV; it is kept as it is.
  const rest = readFieldRest(text, at, delimiter);
  return { value: value + rest.value, next: rest.next };
}

function readFieldRest(text: string, start: number, delimiter: string): { value: string; next: number } {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { value: text.slice(start, end), next: end };
}
