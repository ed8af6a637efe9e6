import { PythonFloat, PythonTemporal, ZonedDate, type Value } from "../../protocol/index.js";
import { checkArguments, nameArguments } from "../arguments.js";
import type { ToolParameter } from "../definition.js";
import { ToolArgumentError } from "../errors.js";
import { NotJsonError, plainJson } from "../plain-json.js";
import { isSchemaObject, mismatch } from "../schema/index.js";
import type { CliOption, CliToolFile } from "./cli-file.js";

type Arguments = Readonly<Record<string, Value>>;

/** What a command is started with. */
export interface CommandLine {
  readonly argv: readonly string[];
  /** Where in `argv` a command that takes `--` needs it: a positional that the call gave begins with `-`. */
  readonly endOfOptionsAt?: number;
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
  const { values, given } = checkedValues(file.name, accepted, args);
  const positionals = file.positionals.flatMap((parameter) =>
    itemsOf(parameter, values.get(parameter.name)).map((item) => ({
      text: argumentText(file.name, parameter.name, item),
      isGiven: given.has(parameter.name),
    })),
  );
  const options = file.options.flatMap((option) =>
    optionArguments(file.name, option, values.get(option.parameter.name)),
  );
  const argv = positionals.map(({ text }) => text);
  const stdin = stdinBytes(file, file.stdin === undefined ? undefined : values.get(file.stdin.name));
  if (file.endOfOptions === true && argv.length > 0) return { argv: [...options, "--", ...argv], stdin };
  // What the file itself puts there, it means as it is written.
  const dashed = positionals.filter(({ text }) => text.startsWith("-") && text !== "-");
  const isDoubtful = dashed.length > 0 && dashed.every(({ isGiven }) => isGiven);
  return {
    argv: [...options, ...argv],
    ...(isDoubtful && file.endOfOptions === undefined ? { endOfOptionsAt: options.length } : {}),
    stdin,
  };
}

interface CheckedValues {
  readonly values: ReadonlyMap<string, Value>;
  /** The names of those that the call gave. */
  readonly given: ReadonlySet<string>;
}

/** Presets and defaults come from a file, and are held to the same types as arguments. */
function checkedValues(toolName: string, parameters: readonly ToolParameter[], args: Arguments): CheckedValues {
  const callable = { name: toolName, description: "", parameters };
  const check = (values: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> => {
    const whole = parameters.flatMap((parameter) => {
      const value = values.get(parameter.name);
      return value === undefined ? [] : [[parameter.name, listOf(parameter, value)] as const];
    });
    return new Map(Object.entries(checkArguments(toolName, callable, Object.fromEntries(whole))));
  };
  const given = check(new Map(Object.entries(nameArguments(toolName, callable, args))));
  const all = new Map(given);
  for (const { name, default: value } of parameters) {
    if (value !== undefined && !all.has(name)) all.set(name, value);
  }
  return { values: check(all), given: new Set(given.keys()) };
}

/** The value, or a list of it alone where an item of the list came by itself. */
function listOf({ takesOneItem = false, schema }: ToolParameter, value: Value): Value {
  const isList = Array.isArray(value) || value instanceof Set;
  if (!takesOneItem || isList || value === null || !isSchemaObject(schema?.items)) return value;
  return mismatch(schema.items, value) === undefined ? [value] : value;
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
