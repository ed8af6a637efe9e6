import { parameterAlias, callableAlias } from "../python/aliases.js";
import type { Tool, ToolCallable, ToolParameter } from "../definition.js";
import { freeName, pythonMethod } from "../python/python-names.js";
import { pythonRepr } from "../python/python-repr.js";
import { takesMore } from "../schema/index.js";
import { pythonTypeOfParameter, type TypeOptions } from "./python-types.js";
import { className, TypeWriter } from "./type-writer.js";

/** How the parameters of a call are written: all by name, the required ones first; or in the order of the schema. */
export type ParameterStyle = "by-name" | "in-order";

export interface SignatureOptions {
  /** How the callable is called. Default: its alias. */
  readonly name?: string;
  /** Writes the types, and keeps what they refer to. Default: one that knows objects as `dict[str, Any]`. */
  readonly types?: TypeWriter;
  /** Characters that are wanted of it: no further parameter is written after them. Default: all of it. */
  readonly length?: number;
  /** Default: by name. */
  readonly style?: ParameterStyle;
}

/**
 * The callable as a Python signature, for prompts, `signature()` and `repr`:
 * `get(*, url: str, limit: int = 10) -> str`.
 *
 * Required parameters come first. An optional one without a default is shown as
 * `type | None = None`: leaving it out and passing None are the same. A result that no schema describes is not shown.
 */
export function signature(callable: ToolCallable, options: SignatureOptions = {}): string {
  const { name = pythonMethod(callable.name), types = new TypeWriter({ declare: false }) } = options;
  const result = resultType(callable, types, name);
  const list = parameterList(callable, { ...options, types, owner: name });
  return `${name}(${list})${result === undefined ? "" : ` -> ${result}`}`;
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

export interface ParameterListOptions extends TypeOptions, Pick<SignatureOptions, "length" | "style"> {}

/** What stands between the parentheses: `*, url: str, limit: int = 10`; in order `url: str, limit: int = 10`. */
export function parameterList(callable: ToolCallable, options: ParameterListOptions): string {
  const { length = Infinity, style = "by-name" } = options;
  const { parameters } = callable;
  const inOrder = style === "in-order" ? parameters.slice(0, positionalCount(parameters)) : [];
  const byName = parameters.slice(inOrder.length);
  const sorted = [...byName.filter(({ required }) => required), ...byName.filter(({ required }) => !required)];
  const parts: string[] = [];
  let written = 0;
  for (const [index, parameter] of [...inOrder, ...sorted].entries()) {
    if (written >= length) break;
    if (index === inOrder.length) parts.push("*");
    const part = parameterText(callable, parameter, options);
    parts.push(part);
    written += part.length;
  }
  const others = freeName("others", new Set(parameters.map(({ name }) => parameterAlias(callable, name))));
  const more = callable.inputSchema !== undefined && takesMore(callable.inputSchema) ? [`**${others}: Any`] : [];
  return [...parts, ...more].join(", ");
}

/** How many of them Python can write in their order: it has no required parameter behind an optional one. */
function positionalCount(parameters: readonly ToolParameter[]): number {
  const optional = parameters.findIndex(({ required }) => !required);
  const late = parameters.findIndex(({ required }, index) => required && optional !== -1 && index > optional);
  return late === -1 ? parameters.length : late;
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
