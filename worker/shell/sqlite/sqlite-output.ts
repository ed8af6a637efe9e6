/** How rows are written, by the names of the `sqlite3` shell. */
export const MODES = ["list", "csv", "tabs", "json", "line", "column", "quote", "markdown"] as const;
export type Mode = (typeof MODES)[number];

export interface OutputOptions {
  readonly mode: Mode;
  readonly header: boolean;
  /** Between two columns of `list` and `csv`. */
  readonly separator: string;
  /** What stands for NULL in all modes but `json` and `quote`. */
  readonly nullText: string;
}

/** A value as SQLite writes it. */
export type Cell =
  | { readonly type: "null" }
  | { readonly type: "number" | "text"; readonly text: string }
  | { readonly type: "blob"; readonly bytes: Uint8Array };

/** What one statement gave. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function findMode(name: string | undefined): Mode | undefined {
  return MODES.find((mode) => mode === name);
}

/** The rows as the shell prints them; nothing when there are none. */
export function formatRows(result: Rows, options: OutputOptions): string {
  if (result.rows.length === 0) return "";
  switch (options.mode) {
    case "list":
      return separated(result, { options, separator: options.separator, write: (cell) => plain(cell, options) });
    case "tabs":
      return separated(result, { options, separator: "\t", write: (cell) => plain(cell, options) });
    case "csv":
      return separated(result, { options, separator: options.separator, write: (cell) => csvField(cell, options) });
    case "quote":
      return separated(result, { options, separator: ",", write: literal });
    case "json":
      return jsonRows(result);
    case "line":
      return lines(result, options);
    case "column":
      return columns(result, options);
    case "markdown":
      return markdown(result, options);
  }
}

/** As SQL writes the value. */
export function literal(cell: Cell): string {
  switch (cell.type) {
    case "null":
      return "NULL";
    case "number":
      return finite(cell.text);
    case "text":
      return `'${cell.text.replaceAll("'", "''")}'`;
    case "blob":
      return `X'${Array.from(cell.bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
  }
}

interface SeparatedForm {
  readonly options: OutputOptions;
  readonly separator: string;
  readonly write: (cell: Cell) => string;
}

function separated({ columns: names, rows }: Rows, { options, separator, write }: SeparatedForm): string {
  const header = options.header ? [names.map((text): Cell => ({ type: "text", text }))] : [];
  return [...header, ...rows].map((row) => `${row.map(write).join(separator)}\n`).join("");
}

function csvField(cell: Cell, options: OutputOptions): string {
  const text = plain(cell, options);
  const isEmptyText = cell.type !== "null" && text === "";
  const isPlain = /^[!#-&(-~]*$/.test(text) && !text.includes(options.separator);
  return isPlain && !isEmptyText ? text : `"${text.replaceAll('"', '""')}"`;
}

function jsonRows({ columns: names, rows }: Rows): string {
  const lines = rows.map((row) => {
    const fields = row.map((cell, index) => `${JSON.stringify(names[index])}:${jsonValue(cell)}`);
    return `{${fields.join(",")}}`;
  });
  return `[${lines.join(",\n")}]\n`;
}

function jsonValue(cell: Cell): string {
  switch (cell.type) {
    case "null":
      return "null";
    case "number":
      return finite(cell.text);
    case "text":
      return JSON.stringify(cell.text);
    case "blob":
      // Each byte as the character of that number, which loses none.
      return JSON.stringify(Array.from(cell.bytes, (byte) => String.fromCharCode(byte)).join(""));
  }
}

function lines({ columns: names, rows }: Rows, options: OutputOptions): string {
  const width = Math.max(5, ...names.map((name) => name.length));
  const line = (cell: Cell, index: number): string =>
    `${(names[index] ?? "").padStart(width)} = ${plain(cell, options)}\n`;
  return rows.map((row) => row.map(line).join("")).join("\n");
}

function columns(result: Rows, options: OutputOptions): string {
  const { names, rows, widths } = table(result, options);
  const line = (texts: readonly string[]): string =>
    `${texts
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  const header = options.header ? line(names) + line(widths.map((width) => "-".repeat(width))) : "";
  return header + rows.map(line).join("");
}

function markdown(result: Rows, options: OutputOptions): string {
  const { names, rows, widths } = table(result, options);
  const line = (texts: readonly string[]): string =>
    `| ${texts.map((text, index) => text.replaceAll("|", "\\|").padEnd(widths[index] ?? 0)).join(" | ")} |\n`;
  return `${line(names)}|${widths.map((width) => "-".repeat(width + 2)).join("|")}|\n${rows.map(line).join("")}`;
}

/** One line for each row: what breaks a line becomes a space. */
function table(
  { columns: names, rows }: Rows,
  options: OutputOptions,
): { readonly names: readonly string[]; readonly rows: readonly string[][]; readonly widths: readonly number[] } {
  const texts = rows.map((row) => row.map((cell) => plain(cell, options).replace(/\s*[\r\n]\s*/g, " ")));
  const widths = names.map((name, index) => Math.max(name.length, ...texts.map((row) => row[index]?.length ?? 0)));
  return { names, rows: texts, widths };
}

function plain(cell: Cell, { nullText }: OutputOptions): string {
  if (cell.type === "null") return nullText;
  return cell.type === "blob" ? new TextDecoder().decode(cell.bytes) : cell.text;
}

/** SQL and JSON have no word for infinity. */
function finite(number: string): string {
  return number.replace(/Inf$/, "1e999");
}
