import { LONGEST_CHART_ROWS, LONGEST_CHART_WORDS, shortenUnitsTo, type ChartFacts } from "../../src/protocol/index.js";

/** An object of a specification. */
export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rows that are shown as a table. */
const MOST_ROWS = 100;

/** What a specification says of itself, and the rows that are in it. Only what lies at its top is looked at. */
export function chartFacts(spec: Json): ChartFacts {
  const rows = rowsIn(spec);
  const text = JSON.stringify(rows.slice(0, MOST_ROWS));
  const isTable = rows.length > 0 && text.length <= LONGEST_CHART_ROWS;
  return {
    name: shortenUnitsTo(nameOf(spec), LONGEST_CHART_WORDS),
    rows: isTable ? text : "",
    rowCount: isTable ? rows.length : 0,
  };
}

function nameOf({ description, title }: Json): string {
  return [description, title, isRecord(title) ? title.text : undefined].map(textOf).find((text) => text !== "") ?? "";
}

/** A text, or its lines. */
function textOf(value: unknown): string {
  const lines: unknown[] = Array.isArray(value) ? value : [value];
  return lines.every((line) => typeof line === "string") ? lines.join(" ").trim() : "";
}

/** The first data that are a list of records: Vega-Lite's own, those with a name, Vega's. */
function rowsIn({ data, datasets }: Json): readonly unknown[] {
  const named = isRecord(datasets) ? Object.values(datasets) : [];
  const sources: unknown[] = Array.isArray(data) ? data : [data];
  const values = sources.map((source) => (isRecord(source) ? source.values : undefined));
  const found = [...values, ...named].find(isListOfRecords);
  return found ?? [];
}

function isListOfRecords(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.slice(0, MOST_ROWS).every(isRecord);
}
