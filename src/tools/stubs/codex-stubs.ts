import { toolAlias } from "../python/aliases.js";
import { serverNames } from "../python/server-names.js";
import type { Tool } from "../definition.js";
import { docstring } from "./docstring.js";
import { HEADER, method, toolClass } from "./tool-stubs.js";
import { className, TypeWriter } from "./type-writer.js";

const ERRORS = `class ToolError(RuntimeError):
    tool: str
    message: str

class ToolNotFoundError(ToolError, AttributeError): ...

class ToolCallError(ToolError): ...

class ToolArgumentError(ToolCallError, TypeError): ...

class ToolNotAllowedError(ToolCallError): ...

class ToolTimeoutError(ToolError, TimeoutError): ...

class ToolUnavailableError(ToolError): ...

class NestingDepthError(RecursionError): ...

ToolRecursionError = NestingDepthError

class CallBudgetError(RuntimeError): ...`;

/**
 * The module `codex_tools` as `codex_tools.pyi`, for prompts and editors: a function for each tool, an object for one with
 * several callables, a function more for each tool of an MCP server, and the errors. It is legal Python.
 */
export function codexStubs(tools: Iterable<Tool>): string {
  const types = new TypeWriter();
  const listed = Array.from(tools, (tool) => ({ tool, alias: types.reserve(toolAlias(tool)) }));
  const written = listed.map(({ tool, alias }) => memberOf(tool, alias, types));
  const taken = new Set(listed.map(({ alias }) => alias));
  const ofServers = listed.flatMap(({ tool }) =>
    [...serverNames(tool)].flatMap(([name, callable]) => {
      if (taken.has(name)) return [];
      taken.add(name);
      return [method(callable, { name, self: false, types, owner: name, style: "in-order" })];
    }),
  );
  return [HEADER, ...types.declarations, ...written, ...ofServers, ERRORS].join("\n\n") + "\n";
}

function memberOf(tool: Tool, alias: string, types: TypeWriter): string {
  const [only, ...others] = tool.callables;
  if (only?.name === tool.name && others.length === 0)
    return method(only, { name: alias, self: false, types, owner: alias, style: "in-order" });
  if (only === undefined) {
    const doc = docstring(tool.description, "    ");
    const head = `def ${alias}(**arguments: Any) -> Any:`;
    return doc.length === 0 ? `${head} ...` : [head, ...doc].join("\n");
  }
  const name = types.reserve(`_${className(alias)}`);
  return [toolClass(tool, { name, types, style: "in-order" }), `${alias}: ${name}`].join("\n\n");
}
