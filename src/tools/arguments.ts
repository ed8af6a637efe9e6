import { isRecord, PythonFloat, PythonTemporal, pythonTypeOf, Tuple, type Value } from "../protocol/index.js";

import type { JsonSchema, ToolCallable, ToolParameter } from "./definition.js";
import { ToolArgumentError } from "./errors.js";
import { pythonName } from "./python-names.js";
import { pythonRepr } from "./python-types.js";

type Arguments = Readonly<Record<string, Value>>;

/**
 * Checks arguments against the parameters of a callable: nothing unknown, nothing
 * missing, types as the schemas say, where there are any. Names that Python had to write differently
 * (`per_page` for `per-page`) come out as declared; None for an optional
 * parameter means that it was left out. Defaults are not filled in.
 *
 * @throws {ToolArgumentError} naming the first argument that does not fit.
 */
export function checkArguments(toolName: string, callable: ToolCallable, args: Arguments): Record<string, Value> {
  const checked = nameArguments(toolName, callable, args);
  for (const [name, value] of Object.entries(checked)) {
    const parameter = callable.parameters.find((candidate) => candidate.name === name);
    if (parameter?.schema === undefined || value === null) continue;
    const wrong = mismatch(parameter.schema, value);
    if (wrong !== undefined) {
      const reason = `Parameter '${name}' must be ${wrong}, not ${describeValue(value)}`;
      throw new ToolArgumentError(toolName, reason, { args, parameter: name });
    }
  }
  return checked;
}

/**
 * The part of {@link checkArguments} that looks at names alone, for adapters that check the values themselves.
 *
 * @throws {ToolArgumentError} when an argument is unknown or missing.
 */
export function nameArguments(toolName: string, callable: ToolCallable, args: Arguments): Record<string, Value> {
  // A map first: arguments may be called `constructor` or `__proto__`.
  const named = new Map<string, Value>();
  for (const [key, value] of Object.entries(args)) {
    const parameter = findParameter(callable.parameters, key);
    if (parameter === undefined) throw unknownArgument(toolName, callable, { args, key });
    if (named.has(parameter.name)) {
      throw new ToolArgumentError(toolName, `Parameter '${parameter.name}' was given twice`, { args, parameter: key });
    }
    if ((value === null || value === undefined) && !takesNull(parameter)) continue;
    named.set(parameter.name, value);
  }
  const missing = callable.parameters.filter(({ name, required }) => required && !named.has(name));
  const [first] = missing;
  if (first !== undefined) {
    const names = missing.map(({ name }) => `'${name}'`).join(", ");
    const reason =
      missing.length === 1 ? `Required parameter ${names} is missing` : `Required parameters ${names} are missing`;
    throw new ToolArgumentError(toolName, reason, { args, parameter: first.name });
  }
  return Object.fromEntries(named);
}

/** `an integer`, when the value does not fit the schema; undefined when it does. */
export function mismatch(schema: JsonSchema, value: Value): string | undefined {
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `one of ${schema.enum.map(pythonRepr).join(", ")}`;
  }
  if (schema.type === undefined) return undefined;
  const types = typeof schema.type === "string" ? [schema.type] : schema.type;
  if (!types.some((type) => hasType(type, value))) return types.map(typeInWords).join(" or ");
  if (typeof schema.items !== "object" || !Array.isArray(value)) return undefined;
  for (const item of value as readonly Value[]) {
    const wrong = mismatch(schema.items, item);
    if (wrong !== undefined) return `a list in which each item is ${wrong}`;
  }
  return undefined;
}

function findParameter(parameters: readonly ToolParameter[], key: string): ToolParameter | undefined {
  return (
    parameters.find(({ name }) => name === key) ??
    parameters.find(({ name }) => name !== key && pythonName(name) === key)
  );
}

function takesNull({ type, schema }: ToolParameter): boolean {
  const types = schema?.type ?? type;
  if (typeof types === "string" ? types === "null" : types.includes("null")) return true;
  return (schema?.anyOf ?? schema?.oneOf)?.some((choice) => choice.type === "null") === true;
}

function unknownArgument(
  toolName: string,
  callable: ToolCallable,
  { args, key }: { args: Arguments; key: string },
): Error {
  const names = callable.parameters.map(({ name }) => pythonName(name));
  const accepted = names.length === 0 ? "It takes no parameters" : `It takes: ${names.join(", ")}`;
  return new ToolArgumentError(toolName, `Unknown parameter '${key}'. ${accepted}`, { args, parameter: key });
}

function hasType(type: string, value: Value): boolean {
  switch (type.toLowerCase()) {
    case "string":
    case "str":
      // A number is let through: a model writes `zip=9021` as often as `zip="9021"`. The adapter sends it as text.
      return typeof value === "string" || isNumber(value) || value instanceof Date || value instanceof PythonTemporal;
    case "integer":
    case "int":
      return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
    case "number":
    case "float":
      return isNumber(value);
    case "boolean":
    case "bool":
      return typeof value === "boolean";
    case "array":
    case "list":
      return Array.isArray(value) || value instanceof Set;
    case "object":
    case "dict":
      return isRecord(value) || value instanceof Map;
    case "bytes":
      return value instanceof Uint8Array;
    case "null":
      return value === null || value === undefined;
    default:
      return true;
  }
}

function isNumber(value: Value): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof PythonFloat;
}

function typeInWords(type: string): string {
  return (
    new Map([
      ["string", "a string"],
      ["str", "a string"],
      ["integer", "an integer"],
      ["int", "an integer"],
      ["number", "a number"],
      ["float", "a number"],
      ["boolean", "True or False"],
      ["bool", "True or False"],
      ["array", "a list"],
      ["list", "a list"],
      ["object", "a dict"],
      ["dict", "a dict"],
      ["null", "None"],
    ]).get(type.toLowerCase()) ?? type
  );
}

function describeValue(value: Value): string {
  const shown = pythonRepr(value);
  return `${pythonTypeOf(value) ?? pythonClass(value)} ${shown.length > 60 ? `${shown.slice(0, 59)}…` : shown}`;
}

function pythonClass(value: Value): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  if (typeof value === "bigint" || Number.isInteger(value)) return "int";
  if (typeof value === "number" || value instanceof PythonFloat) return "float";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Tuple) return "tuple";
  if (Array.isArray(value)) return "list";
  if (value instanceof Set) return "set";
  if (value instanceof Date) return "datetime";
  if (value instanceof PythonTemporal) return value.kind;
  return "dict";
}
