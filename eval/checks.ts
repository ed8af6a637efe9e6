import { lexer } from "marked";
import Papa from "papaparse";
import { z } from "zod";

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Says what is wrong with a value; null when nothing is. */
export type Check = (value: unknown) => string | null;

/** Text that is JSON. */
export const JsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("it is no JSON");
    return z.NEVER;
  }
});

const JsonValue: z.ZodType<Json> = z.json();

/** What JSON makes of a value: of a bigint or bytes their text, of a tuple a list. */
export function toJson(value: unknown): Json {
  if (value === undefined) return null;
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return String(item);
    if (item instanceof Uint8Array) return new TextDecoder().decode(item);
    return item instanceof Set ? [...(item as ReadonlySet<unknown>)] : item;
  });
  return JsonValue.parse(JSON.parse(text));
}

/** The same value; numbers may differ by `tolerance`, objects have the same keys in any order. */
export function exactly(expected: Json, tolerance = 1e-9): Check {
  return (value) => difference(value, expected, { path: "", tolerance });
}

function difference(
  value: unknown,
  expected: Json,
  { path, tolerance }: { readonly path: string; readonly tolerance: number },
): string | null {
  const where = path === "" ? "it" : path;
  const wrong = `${where} is ${shown(value)} and not ${shown(expected)}`;
  if (typeof expected === "number") {
    return typeof value === "number" && Math.abs(value - expected) <= tolerance ? null : wrong;
  }
  if (typeof expected !== "object" || expected === null) return value === expected ? null : wrong;
  if (typeof value !== "object" || value === null || Array.isArray(value) !== Array.isArray(expected)) return wrong;
  const [keys, wanted] = [Object.keys(value), Object.keys(expected)];
  const missing = wanted.find((key) => !keys.includes(key));
  if (missing !== undefined) return `${where} has no ${missing}`;
  const extra = keys.find((key) => !wanted.includes(key));
  if (extra !== undefined) return `${where} has ${extra}, which does not belong there`;
  for (const [key, item] of Object.entries(expected)) {
    const found: unknown = Reflect.get(value, key);
    const problem = difference(found, item, { path: path === "" ? key : `${path}.${key}`, tolerance });
    if (problem !== null) return problem;
  }
  return null;
}

/** Bytes that are UTF-8, whose text passes. */
export function textFile(check: Check): Check {
  return (value) => {
    if (!(value instanceof Uint8Array)) return "it is no file";
    try {
      return check(new TextDecoder("utf-8", { fatal: true }).decode(value));
    } catch {
      return "it is no UTF-8";
    }
  };
}

/** A file of JSON whose value passes. */
export function jsonFile(check: Check): Check {
  return textFile((text) => {
    const parsed = JsonText.safeParse(text);
    return parsed.success ? check(parsed.data) : "it is no JSON";
  });
}

/** A CSV file of these cells, the header first, cell by cell the same text. */
export function csvFile(rows: readonly (readonly (string | number)[])[]): Check {
  return textFile((text) => {
    const { data, errors } = Papa.parse<string[]>(String(text), { skipEmptyLines: true, delimiter: "," });
    const [error] = errors;
    if (error !== undefined) return `it is no CSV: ${error.message}`;
    if (data.length !== rows.length) return `it has ${String(data.length)} lines and not ${String(rows.length)}`;
    for (const [index, expected] of rows.entries()) {
      const [found, wanted] = [data[index] ?? [], expected.map(String)];
      if (found.length !== wanted.length || found.some((cell, column) => cell !== wanted[column])) {
        return `line ${String(index + 1)} is ${shown(found)} and not ${shown(wanted)}`;
      }
    }
    return null;
  });
}

/**
 * A file of Markdown with one table of these cells. Where a heading of the first level is asked for, it is the only one,
 * and stands before the table.
 */
export function markdownFile(cells: readonly (readonly (string | number)[])[], heading?: string): Check {
  return textFile((text) => {
    // Read as Markdown is: what stands in a block of code, or has no rule of its own, is neither heading nor table.
    const blocks = lexer(String(text)).map((token) => MarkdownBlock.parse(token));
    const tables = blocks.filter((block) => block.type === "table");
    const [table] = tables;
    if (table === undefined) return "it has no table";
    if (tables.length > 1) return `it has ${String(tables.length)} tables`;
    const problem = difference(
      [table.header, ...table.rows].map((row) => row.map((cell) => cell.text)),
      cells.map((row) => row.map(String)),
      { path: "table", tolerance: 0 },
    );
    if (problem !== null || heading === undefined) return problem;
    const headings = blocks.filter((block) => block.type === "heading");
    const found = headings.map(({ depth, text: words }) => `${"#".repeat(depth)} ${words}`);
    const [first] = headings;
    if (first === undefined || found.join("\n") !== `# ${heading}`) {
      return `its headings are ${shown(found)} and not ${shown([`# ${heading}`])}`;
    }
    return blocks.indexOf(first) < blocks.indexOf(table) ? null : "its heading does not stand before the table";
  });
}

const Cell = z.object({ text: z.string() });
const MarkdownBlock = z.union([
  z.object({ type: z.literal("table"), header: z.array(Cell), rows: z.array(z.array(Cell)) }),
  z.object({ type: z.literal("heading"), depth: z.number(), text: z.string() }),
  z.object({ type: z.string() }).transform(() => ({ type: "other" as const })),
]);

/** Passes where all do; else what the first one says. */
export function all(...checks: readonly Check[]): Check {
  return (value) => {
    for (const check of checks) {
      const problem = check(value);
      if (problem !== null) return problem;
    }
    return null;
  };
}

/** Rows as a file of CSV; for the right outcomes of tasks. */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  return `${Papa.unparse(
    rows.map((row) => [...row]),
    { newline: "\n" },
  )}\n`;
}

/** Cells as a table of Markdown; for the right outcomes of tasks. */
export function markdownTable(rows: readonly (readonly (string | number)[])[]): string {
  const line = (row: readonly (string | number)[]): string => `| ${row.join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

function shown(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
