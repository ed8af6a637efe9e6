import { PythonFloat, PythonTemporal, ZonedDate, type Value } from "../protocol/index.js";

import { checkArguments } from "./arguments.js";
import type { CliOption, CliToolFile } from "./cli-file.js";
import type { ToolParameter } from "./definition.js";
import { ToolArgumentError } from "./errors.js";
import { NotJsonError, plainJson } from "./plain-json.js";

type Arguments = Readonly<Record<string, Value>>;

/** What a command is started with. */
export interface CommandLine {
  readonly argv: readonly string[];
  readonly stdin: Uint8Array<ArrayBuffer>;
}

/**
 * The command line for a call: options in the order of the schema, then the
 * positionals; an argument counts before a preset, a preset before a default.
 * A value is one element of it, whatever characters it has.
 *
 * @param accepted - what the call may give, each with the preset or default that holds for it.
 * @throws {ToolArgumentError} when an argument is unknown, missing, of another type or none of the choices.
 */
export function commandLine(file: CliToolFile, accepted: readonly ToolParameter[], args: Arguments): CommandLine {
  const values = checkedValues(file.name, accepted, args);
  const positionals = file.positionals.flatMap((parameter) =>
    itemsOf(parameter, values.get(parameter.name)).map((item) => argumentText(file.name, parameter.name, item)),
  );
  const stdin = file.stdin === undefined ? undefined : values.get(file.stdin.name);
  return {
    argv: [
      ...file.options.flatMap((option) => optionArguments(file.name, option, values.get(option.parameter.name))),
      ...(file.endOfOptions && positionals.length > 0 ? ["--"] : []),
      ...positionals,
    ],
    stdin: stdinBytes(file, stdin),
  };
}

/** Presets and defaults come from a file, and are held to the same types as arguments. */
function checkedValues(
  toolName: string,
  parameters: readonly ToolParameter[],
  args: Arguments,
): ReadonlyMap<string, Value> {
  const callable = { name: toolName, description: "", parameters };
  const given = new Map(Object.entries(checkArguments(toolName, callable, args)));
  for (const { name, default: value } of parameters) {
    if (value !== undefined && !given.has(name)) given.set(name, value);
  }
  return new Map(Object.entries(checkArguments(toolName, callable, Object.fromEntries(given))));
}

function optionArguments(toolName: string, { flag, parameter }: CliOption, value: Value): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === "boolean") return value ? [flag] : [];
  return itemsOf(parameter, value).flatMap((item) => {
    const text = argumentText(toolName, parameter.name, item);
    return flag.endsWith("=") ? [flag + text] : [flag, text];
  });
}

/** What becomes an argument each: the items of a list, else the value itself. */
function itemsOf({ schema }: ToolParameter, value: Value): readonly Value[] {
  if (value === undefined) return [];
  const isList = schema?.type === "array" && (Array.isArray(value) || value instanceof Set);
  return isList ? Array.from(value as Iterable<Value>) : [value];
}

/** Text for one argument: a whole float with its point, as Python writes it, a dict as JSON. */
function argumentText(toolName: string, name: string, value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof PythonFloat) {
    return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  }
  if (value instanceof ZonedDate || value instanceof PythonTemporal) return value.text;
  if (value instanceof Date) return value.toISOString();
  try {
    return JSON.stringify(plainJson(value));
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new ToolArgumentError(toolName, `Parameter '${name}' ${error.message}`, { parameter: name });
  }
}

function stdinBytes({ name, stdin }: CliToolFile, value: Value): Uint8Array<ArrayBuffer> {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const text = value === undefined || stdin === undefined ? "" : argumentText(name, stdin.name, value);
  return new TextEncoder().encode(text);
}
