import { messageOf } from "../../../src/protocol/index.js";
import { SqlError, type OpenDatabase } from "./open-database.js";
import { unescaped, withMode, type SqliteCommandLine } from "./sqlite-arguments.js";
import { findMode, formatRows, literal, MODES, type OutputOptions, type Rows } from "./sqlite-output.js";

interface Files {
  read(name: string): Promise<Uint8Array | undefined>;
}

/** What a dot command answers when it is not one of those that exist. */
class DotCommandError extends Error {}

/** Runs statements and dot commands on a database, and gathers what they print. */
export class SqliteShell {
  output = "";
  readonly #database: OpenDatabase;
  readonly #files: Files;
  readonly #line: SqliteCommandLine;
  #options: OutputOptions;
  #hasQuit = false;

  constructor(database: OpenDatabase, line: SqliteCommandLine, files: Files) {
    this.#database = database;
    this.#line = line;
    this.#options = line.output;
    this.#files = files;
  }

  /** @returns what standard error gets: nothing when all went well. */
  async run(script: string): Promise<string> {
    const { commands, statements, stopsAtError } = this.#line;
    for (const input of statements.length > 0 ? [...commands, ...statements] : commands) {
      const failure = await this.#runArgument(input);
      if (failure !== "" || this.#hasQuit) return failure;
    }
    let failures = "";
    for (const { text, line } of statements.length > 0 ? [] : this.#pieces(script)) {
      if (this.#hasQuit || (stopsAtError && failures !== "")) break;
      failures += await this.#attempt(text, line);
    }
    return failures;
  }

  /** What stands on the command line stops at its first mistake; a script goes on. */
  async #runArgument(input: string): Promise<string> {
    for (const { text } of this.#pieces(input)) {
      const failure = await this.#attempt(text);
      if (failure !== "" || this.#hasQuit) return failure;
    }
    return "";
  }

  async #attempt(text: string, line?: number): Promise<string> {
    try {
      await this.#runPiece(text);
      return "";
    } catch (error) {
      return complaint(error, line);
    }
  }

  async #runPiece(text: string): Promise<void> {
    if (text.startsWith(".")) await this.#runDotCommand(text);
    else
      this.#database.execute(text, (rows) => {
        this.#print(rows);
      });
  }

  /** Statements and dot commands, with the line on which each begins. */
  *#pieces(input: string): Generator<{ readonly text: string; readonly line: number }> {
    let pending = "";
    let begin = 1;
    for (const [index, text] of input.split("\n").entries()) {
      if (pending.trim() === "") {
        begin = index + 1;
        pending = "";
        if (text.startsWith(".")) {
          yield { text: text.trim(), line: begin };
          continue;
        }
      }
      pending += `${text}\n`;
      if (!this.#database.isComplete(pending)) continue;
      yield { text: pending, line: begin };
      pending = "";
    }
    if (pending.trim() !== "") yield { text: pending, line: begin };
  }

  #print(rows: Rows): void {
    this.output += formatRows(rows, this.#options);
  }

  async #runDotCommand(text: string): Promise<void> {
    const [name = "", ...args] = wordsOf(text);
    const [first, second] = args;
    switch (name) {
      case ".tables":
        this.#list("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", { like: first, between: "  " });
        break;
      case ".indexes":
        this.#list("SELECT name FROM sqlite_schema WHERE type = 'index'", { like: first, between: "  " });
        break;
      case ".schema":
        this.#list("SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL", { like: first, between: "\n" });
        break;
      case ".mode":
        this.#setMode(text, first);
        break;
      case ".headers":
      case ".header":
        this.#options = { ...this.#options, header: /^(on|yes|true|1)$/i.test(first ?? "") };
        break;
      case ".separator":
        this.#options = { ...this.#options, separator: unescaped(first ?? "") };
        break;
      case ".nullvalue":
        this.#options = { ...this.#options, nullText: first ?? "" };
        break;
      case ".print":
        this.output += `${args.join(" ")}\n`;
        break;
      case ".dump":
        this.#dump();
        break;
      case ".import":
        await this.#import(text, { file: first, table: second });
        break;
      case ".quit":
      case ".exit":
        this.#hasQuit = true;
        break;
      default:
        throw new DotCommandError(
          `unknown command or invalid arguments: "${text}". There are: ${DOT_COMMANDS.join(", ")}`,
        );
    }
  }

  #setMode(text: string, name: string | undefined): void {
    const mode = findMode(name);
    if (mode === undefined) throw new DotCommandError(`"${text}": the modes are ${MODES.join(", ")}`);
    const options = withMode(this.#options, mode);
    this.#options = { ...options, header: options.header || mode === "column" };
  }

  #list(query: string, { like, between }: { readonly like: string | undefined; readonly between: string }): void {
    const filter = like === undefined ? "" : ` AND tbl_name LIKE ${literal({ type: "text", text: like })}`;
    const names = this.#texts(`${query} AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'${filter} ORDER BY rowid`);
    if (names.length > 0) this.output += `${names.join(between)}\n`;
  }

  #dump(): void {
    this.output += "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n";
    for (const table of this.#texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")) {
      if (table.startsWith("sqlite_")) continue;
      const quoted = literal({ type: "text", text: table });
      for (const sql of this.#texts(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ${quoted}`)) {
        this.output += `${sql};\n`;
      }
      this.#database.execute(`SELECT * FROM ${identifier(table)}`, ({ rows }) => {
        for (const row of rows)
          this.output += `INSERT INTO ${identifier(table)} VALUES(${row.map(literal).join(",")});\n`;
      });
    }
    const others = "SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL";
    for (const sql of this.#texts(others)) this.output += `${sql};\n`;
    this.output += "COMMIT;\n";
  }

  /** Reads a file with separators into a table; its first line names the columns of a table that is not there yet. */
  async #import(
    text: string,
    { file, table }: { readonly file: string | undefined; readonly table: string | undefined },
  ): Promise<void> {
    if (file === undefined || table === undefined) throw new DotCommandError(`"${text}": use .import FILE TABLE`);
    const content = await this.#files.read(file);
    if (content === undefined) throw new DotCommandError(`cannot open "${file}"`);
    const records = parseSeparated(new TextDecoder().decode(content), this.#options.separator);
    const name = literal({ type: "text", text: table });
    const [exists] = this.#texts(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ${name}`);
    if (exists === "0") {
      const columns = records.shift() ?? [];
      if (columns.length === 0) throw new DotCommandError(`"${file}" is empty`);
      this.#execute(
        `CREATE TABLE ${identifier(table)}(${columns.map((each) => `${identifier(each)} ANY`).join(", ")})`,
      );
    }
    const rows = records.map(
      (record) => `(${record.map((field) => literal({ type: "text", text: field })).join(",")})`,
    );
    this.#execute("SAVEPOINT import");
    try {
      for (const row of rows) this.#execute(`INSERT INTO ${identifier(table)} VALUES${row}`);
    } catch (error) {
      this.#execute("ROLLBACK TO import; RELEASE import");
      throw error;
    }
    this.#execute("RELEASE import");
  }

  #execute(sql: string): void {
    this.#database.execute(sql, () => undefined);
  }

  /** The first column of a query's rows. */
  #texts(sql: string): string[] {
    const found: string[] = [];
    this.#database.execute(sql, ({ rows }) => {
      for (const [cell] of rows) if (cell?.type === "text" || cell?.type === "number") found.push(cell.text);
    });
    return found;
  }
}

const DOT_COMMANDS = [
  ".tables",
  ".indexes",
  ".schema",
  ".mode",
  ".headers",
  ".separator",
  ".nullvalue",
  ".print",
  ".dump",
  ".import",
  ".quit",
];

function complaint(error: unknown, line: number | undefined): string {
  if (!(error instanceof SqlError)) return `Error: ${messageOf(error)}\n`;
  if (line !== undefined)
    return `${error.phase === "prepare" ? "Parse" : "Runtime"} error near line ${String(line)}: ${error.message}\n`;
  return `Error: ${error.phase === "prepare" ? "in prepare" : "stepping"}, ${error.message}\n`;
}

function identifier(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** Words of a dot command, which may stand in quotes. */
function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g), ([, double, single, plain]) =>
    double === undefined ? (single ?? plain ?? "") : unescaped(double.replaceAll('\\"', '"')),
  );
}

function parseSeparated(text: string, separator: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let position = 0;
  while (position < text.length) {
    const field = readField(text, { position, separator });
    record.push(field.text);
    position = field.end;
    if (text.startsWith(separator, position)) {
      position += separator.length;
      continue;
    }
    position += text.startsWith("\r\n", position) ? 2 : 1;
    records.push(record);
    record = [];
  }
  if (record.length > 0) records.push([...record, ""]);
  return records;
}

function readField(
  text: string,
  { position, separator }: { readonly position: number; readonly separator: string },
): { readonly text: string; readonly end: number } {
  if (text[position] === '"') {
    const quoted = /"((?:[^"]|"")*)"?/y;
    quoted.lastIndex = position;
    const content = quoted.exec(text)?.[1] ?? "";
    return { text: content.replaceAll('""', '"'), end: quoted.lastIndex };
  }
  const ends = [separator, "\r\n", "\n"].map((end) => text.indexOf(end, position)).filter((end) => end >= 0);
  const end = Math.min(text.length, ...ends);
  return { text: text.slice(position, end), end };
}
