import { callableAlias, parameterAlias, toolAlias } from "../python/aliases.js";
import type { Tool, ToolCallable } from "../definition.js";
import { parameterList, resultType, type ParameterStyle } from "./signature.js";
import { docstring, oneLine } from "./docstring.js";
import { className, TypeWriter } from "./type-writer.js";

/**
 * Tools as Python stubs, in the style of a `.pyi` file: a class for each, a method for each way to call it, keyword-only
 * parameters with their types, TypedDicts for objects, docstrings. It is legal Python whatever the names and texts are.
 */
export function toolStubs(tools: Iterable<Tool>): string {
  const types = new TypeWriter();
  const classes = Array.from(tools, (tool) => ({ tool, name: types.reserve(className(toolAlias(tool))) }));
  const written = classes.map(({ tool, name }) => toolClass(tool, { name, types }));
  const attributes = classes.map(({ tool, name }) => `    ${toolAlias(tool)}: ${name}`);
  const root = ["class Tools:", ...(attributes.length === 0 ? ["    ..."] : attributes), "", "tools: Tools"].join("\n");
  return [HEADER, ...types.declarations, ...written, root].join("\n\n") + "\n";
}

export const HEADER = "from typing import Any, Literal, Never, NotRequired, TypedDict";

/** One way to call a tool, with the types that it refers to: what `help()` and `signature()` show of it. */
export function callableStub(tool: Tool, callable: ToolCallable, style: ParameterStyle = "by-name"): string {
  const types = new TypeWriter();
  const alias = toolAlias(tool);
  const name = callable.name === tool.name ? alias : callableAlias(tool, callable.name);
  const [definition = "", ...body] = method(callable, { name, self: false, types, owner: name, style }).split("\n");
  return [...types.declarations, [definition, ...body].join("\n")].join("\n\n");
}

/** The TypedDicts that the signature of a callable refers to; empty where there are none. */
export function callableTypes(tool: Tool, callable: ToolCallable): string {
  const types = new TypeWriter();
  const name = callable.name === tool.name ? toolAlias(tool) : callableAlias(tool, callable.name);
  method(callable, { name, self: false, types, owner: name });
  return types.declarations.join("\n\n");
}

/** A tool with several callables, each of them a method. */
export function toolClass(tool: Tool, { name, types, style }: Omit<MethodOptions, "self" | "owner">): string {
  const methods = tool.callables.map((callable) =>
    method(callable, {
      name: callable.name === tool.name ? "__call__" : callableAlias(tool, callable.name),
      self: true,
      types,
      owner: `${name} ${callable.name === tool.name ? "" : callable.name}`,
      ...(style === undefined ? {} : { style }),
    }),
  );
  const indented = methods.map((text) => text.replace(/^(?=.)/gmu, "    "));
  const body = [...docstring(tool.description, "    "), ...indented];
  return [`class ${name}:`, ...(body.length === 0 ? ["    ..."] : body)].join("\n");
}

export interface MethodOptions {
  readonly name: string;
  /** Whether it stands in a class. */
  readonly self: boolean;
  readonly types: TypeWriter;
  /** The base of the names of TypedDicts. */
  readonly owner: string;
  /** Default: by name. */
  readonly style?: ParameterStyle;
}

/** One callable as a function or a method, with its documentation. */
export function method(callable: ToolCallable, { name, self, types, owner, style }: MethodOptions): string {
  const list = parameterList(callable, { types, owner, ...(style === undefined ? {} : { style }) });
  const parameters = [...(self ? ["self"] : []), list].filter((part) => part !== "");
  const result = resultType(callable, types, owner) ?? "Any";
  const head = `def ${name}(${parameters.join(", ")}) -> ${result}:`;
  const doc = docstring(documentation(callable), "    ");
  return doc.length === 0 ? `${head} ...` : [head, ...doc].join("\n");
}

function documentation(callable: ToolCallable): string {
  const described = callable.parameters.filter(({ description }) => description.trim() !== "");
  const lines = described.map(
    ({ name, description }) => `    ${parameterAlias(callable, name)}: ${oneLine(description)}`,
  );
  const args = lines.length === 0 ? "" : ["Args:", ...lines].join("\n");
  return [callable.description.trim(), args].filter((part) => part !== "").join("\n\n");
}
