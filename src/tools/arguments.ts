import { VitrineError, type Value } from "../protocol/index.js";

import type { ToolCallable, ToolParameter } from "./definition.js";
import type { JsonSchema } from "./json-schema.js";
import { ToolArgumentError, ToolSchemaError } from "./errors.js";
import { parameterAlias, parameterByAlias } from "./python/aliases.js";
import {
  checkSchema,
  mismatch,
  pathText,
  takesMore,
  takesNull,
  valueInWords,
  type SchemaMismatch,
} from "./schema/index.js";

type Arguments = Readonly<Record<string, Value>>;
type Checked = Record<string, Value>;

/**
 * Checks the arguments of a call: names as {@link nameArguments} does, values by the `inputSchema` of the callable, or
 * by the schema of each parameter where there is none. The answer is a promise only until the validator is loaded.
 *
 * @throws {ToolArgumentError} naming what does not fit, what came and what is accepted.
 * @throws {ToolSchemaError} when the schema itself cannot be used.
 */
export function checkInput(toolName: string, callable: ToolCallable, args: Arguments): Checked | Promise<Checked> {
  const { inputSchema } = callable;
  if (inputSchema === undefined) return checkArguments(toolName, callable, args);
  const named = nameArguments(toolName, callable, args);
  const accept = (mismatch: SchemaMismatch | undefined): Checked => {
    if (mismatch !== undefined) throw misfit(toolName, mismatch, args);
    return named;
  };
  const refuse = (error: unknown): never => {
    throw error instanceof VitrineError ? error : new ToolSchemaError(toolName, "arguments", { cause: error });
  };
  try {
    const checked = checkSchema(inputSchema, named);
    return checked instanceof Promise ? checked.then(accept).catch(refuse) : accept(checked);
  } catch (error) {
    return refuse(error);
  }
}

function misfit(toolName: string, { path, reason }: SchemaMismatch, args: Arguments): ToolArgumentError {
  const [parameter] = path;
  if (parameter === undefined) return new ToolArgumentError(toolName, `The arguments together: ${reason}`, { args });
  return new ToolArgumentError(toolName, `Parameter '${pathText(path)}' ${reason}`, {
    args,
    parameter: String(parameter),
  });
}

/**
 * Checks arguments against the parameters of a callable: nothing unknown, nothing
 * missing, types as the schemas of the parameters say, where there are any. Names that Python had to write differently
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
      const reason = `Parameter '${name}' must be ${wrong}, not ${valueInWords(value)}`;
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
  const { inputSchema } = callable;
  for (const [key, value] of Object.entries(args)) {
    const parameter = findParameter(callable.parameters, key);
    if (parameter === undefined) {
      if (inputSchema === undefined || !takesMore(inputSchema))
        throw unknownArgument(toolName, callable, { args, key });
      named.set(key, value);
      continue;
    }
    if (named.has(parameter.name)) {
      throw new ToolArgumentError(toolName, `Parameter '${parameter.name}' was given twice`, { args, parameter: key });
    }
    if ((value === null || value === undefined) && !keepsNull(parameter, inputSchema)) continue;
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

/** The parameter that an argument of this name is for: by its name, by what Python calls it, or by its name elsewhere. */
export function findParameter(parameters: readonly ToolParameter[], key: string): ToolParameter | undefined {
  return (
    parameters.find(({ name }) => name === key) ??
    parameterByAlias(parameters, key) ??
    parameters.find(({ exactName }) => exactName === key)
  );
}

/** None is kept where it is a value of its own; elsewhere it means that the argument was left out. */
function keepsNull({ type, schema, required }: ToolParameter, inputSchema: JsonSchema | undefined): boolean {
  if (schema === undefined) return type === "null";
  // Whatever may come may be None.
  if (required && isOpen(schema)) return true;
  return takesNull(schema, inputSchema ?? schema);
}

function isOpen(schema: JsonSchema): boolean {
  return !["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"].some((keyword) => schema[keyword] !== undefined);
}

function unknownArgument(
  toolName: string,
  callable: ToolCallable,
  { args, key }: { args: Arguments; key: string },
): Error {
  const names = callable.parameters.map(({ name }) => parameterAlias(callable, name));
  const accepted = names.length === 0 ? "It takes no parameters" : `It takes: ${names.join(", ")}`;
  return new ToolArgumentError(toolName, `Unknown parameter '${key}'. ${accepted}`, { args, parameter: key });
}
