import { parameterAlias, callableAlias } from "../python/aliases.js";
import type { Tool, ToolCallable, ToolParameter } from "../definition.js";
import { freeName, pythonMethod } from "../python/python-names.js";
import { pythonRepr } from "../python/python-repr.js";
import { takesMore } from "../schema/index.js";
import { pythonTypeOfParameter, type TypeOptions } from "./python-types.js";
import { className, TypeWriter } from "./type-writer.js";

export interface SignatureOptions {
  /** How the callable is called. Default: its alias. */
  readonly name?: string;
  /** Writes the types, and keeps what they refer to. Default: one that knows objects as `dict[str, Any]`. */
  readonly types?: TypeWriter;
  /** Characters that are wanted of it: no further parameter is written after them. Default: all of it. */
  readonly length?: number;
}

/**
 * The callable as a Python signature, for prompts, `signature()` and `repr`:
 * `get(*, url: str, limit: int = 10) -> str`.
 *
 * Required parameters come first. An optional one without a default is shown as
 * `type | None = None`: leaving it out and passing None are the same. A result that no schema describes is not shown.
 */
export function signature(callable: ToolCallable, options: SignatureOptions = {}): string {
  const { name = pythonMethod(callable.name), types = new TypeWriter({ declare: false }), length } = options;
  const result = resultType(callable, types, name);
  return `${name}(${parameterList(callable, types, name, length)})${result === undefined ? "" : ` -> ${result}`}`;
}

/** {@link signature} as the tool's code calls it: without a name of its own for the callable of the tool's name. */
export function callOf(
  tool: Tool,
  callable: ToolCallable,
  { alias, types }: { alias: string; types?: TypeWriter },
): string {
  const name = callable.name === tool.name ? alias : `${alias}.${callableAlias(tool, callable.name)}`;
  return signature(callable, { name, ...(types === undefined ? {} : { types }) });
}

/** What stands between the parentheses: `*, url: str, limit: int = 10`. */
export function parameterList(callable: ToolCallable, types: TypeWriter, owner: string, length = Infinity): string {
  const { parameters } = callable;
  const shown = [...parameters.filter(({ required }) => required), ...parameters.filter(({ required }) => !required)];
  const parts: string[] = [];
  let written = 0;
  for (const parameter of shown) {
    if (written >= length) break;
    const part = parameterText(callable, parameter, { types, owner });
    parts.push(part);
    written += part.length;
  }
  const others = freeName("others", new Set(parameters.map(({ name }) => parameterAlias(callable, name))));
  const more = callable.inputSchema !== undefined && takesMore(callable.inputSchema) ? [`**${others}: Any`] : [];
  return [...(parts.length === 0 ? [] : ["*"]), ...parts, ...more].join(", ");
}

/** Undefined where nothing is known of the result. */
export function resultType({ outputSchema }: ToolCallable, types: TypeWriter, owner: string): string | undefined {
  if (outputSchema === undefined) return undefined;
  return types.typeOf(outputSchema, outputSchema, `${className(owner)}Result`);
}

function parameterText(callable: ToolCallable, parameter: ToolParameter, writing: TypeOptions): string {
  const name = parameterAlias(callable, parameter.name);
  const type = pythonTypeOfParameter(parameter, callable, writing);
  if (parameter.required) return `${name}: ${type}`;
  if (parameter.default !== undefined && parameter.default !== null) {
    return `${name}: ${type} = ${pythonRepr(parameter.default)}`;
  }
  return `${name}: ${type === "Any" || type.endsWith("None") ? type : `${type} | None`} = None`;
}
