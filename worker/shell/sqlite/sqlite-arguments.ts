import { findMode, type OutputOptions } from "./sqlite-output.js";

export interface SqliteCommandLine {
  readonly output: OutputOptions;
  /** Undefined for a database that is forgotten afterwards. */
  readonly database: string | undefined;
  /** What `-cmd` gives: run before anything else. */
  readonly commands: readonly string[];
  /** Statements and dot commands, each whole; none when they come from standard input. */
  readonly statements: readonly string[];
  readonly isReadOnly: boolean;
  /** Stops at the first statement that fails, also of standard input. */
  readonly stopsAtError: boolean;
  readonly wantsVersion: boolean;
}

/** Arguments that the command does not take. */
export class CommandLineError extends Error {}

/** Reads the arguments of `sqlite3`. @throws {CommandLineError} */
export function parseCommandLine(args: readonly string[]): SqliteCommandLine {
  let output: OutputOptions = { mode: "list", header: false, separator: "|", nullText: "" };
  let database: string | undefined;
  let isReadOnly = false;
  let stopsAtError = false;
  let wantsVersion = false;
  const commands: string[] = [];
  const statements: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const name = arg.replace(/^--?/, "");
    const mode = findMode(name);
    if (!arg.startsWith("-") || arg === "-") {
      if (database === undefined) database = arg;
      else statements.push(arg);
    } else if (mode !== undefined) output = withMode(output, mode);
    else if (name === "header") output = { ...output, header: true };
    else if (name === "noheader") output = { ...output, header: false };
    else if (name === "separator") output = { ...output, separator: unescaped(valueOf(arg, rest)) };
    else if (name === "nullvalue") output = { ...output, nullText: valueOf(arg, rest) };
    else if (name === "cmd") commands.push(valueOf(arg, rest));
    else if (name === "readonly") isReadOnly = true;
    else if (name === "bail") stopsAtError = true;
    else if (name === "version") wantsVersion = true;
    else if (name !== "batch") throw new CommandLineError(`unknown option: ${arg}`);
  }
  const isForgotten = database === undefined || database === "" || database === ":memory:";
  return {
    output,
    database: isForgotten ? undefined : database,
    commands,
    statements,
    isReadOnly,
    stopsAtError,
    wantsVersion,
  };
}

export function withMode(output: OutputOptions, mode: OutputOptions["mode"]): OutputOptions {
  const separator = mode === "csv" ? "," : mode === "list" ? "|" : output.separator;
  return { ...output, mode, separator };
}

/** `\t` and `\n` are how a person writes them. */
export function unescaped(text: string): string {
  return text.replaceAll("\\t", "\t").replaceAll("\\n", "\n").replaceAll("\\\\", "\\");
}

function valueOf(option: string, rest: string[]): string {
  const value = rest.shift();
  if (value === undefined) throw new CommandLineError(`missing argument to ${option}`);
  return value;
}
