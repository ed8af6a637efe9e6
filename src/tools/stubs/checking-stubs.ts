import { callableAlias, parameterAlias, toolAlias } from "../python/aliases.js";
import type { Tool, ToolCallable } from "../definition.js";
import { pythonRepr } from "../python/python-repr.js";
import { freeName } from "../python/python-names.js";
import { takesMore } from "../schema/index.js";
import { ARGUMENT_TYPES, argumentTypes } from "./argument-types.js";
import { className, TypeWriter, union, type Field } from "./type-writer.js";

const HEADER = `from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Literal, Never, overload
${ARGUMENT_TYPES}

class _NoKey: ...

class _Call[**P, R]:
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    def call_sync(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
    def call_async(self, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R]: ...
    def __getattr__(self, name: str) -> Any: ...

def _call[**P, R](function: Callable[Concatenate[Any, P], R]) -> _Call[P, R]: ...`;

/**
 * Tools for a type checker. What {@link toolStubs} writes for a reader is stricter than Python is: here whatever a call
 * takes is right (positional arguments, a dict that a variable holds, text that may be one of the choices), objects in
 * results are dicts of which the keys are known, and what nobody can know is Any.
 */
export function checkingStubs(tools: Iterable<Tool>): string {
  // A whole number comes as int, whatever its schema says; and int goes wherever float does.
  const types = new TypeWriter({ declaration: knownKeys, numbers: "int", choices: false });
  for (const name of ["Callable", "Concatenate", "Coroutine"]) types.reserve(name);
  const classes = Array.from(tools, (tool) => ({ tool, name: types.reserve(className(toolAlias(tool))) }));
  const written = classes.map(({ tool, name }) => toolClass(tool, name, types));
  const attributes = classes.map(({ tool, name }) => `    ${toolAlias(tool)}: ${name}`);
  const root = [
    "class Tools:",
    ...attributes,
    "    def __getattr__(self, name: str) -> Any: ...",
    "    def __getitem__(self, name: str) -> Any: ...",
    "",
    "tools: Tools",
  ].join("\n");
  return [HEADER, ...types.declarations, ...written, root].join("\n\n") + "\n";
}

function toolClass(tool: Tool, name: string, types: TypeWriter): string {
  const own = tool.callables.find((callable) => callable.name === tool.name);
  const others = tool.callables.filter((callable) => callable !== own);
  const owner = (callable: ToolCallable): string => `${name} ${callable === own ? "" : callable.name}`;
  const methods = others.flatMap((callable) => [
    "    @_call",
    `    def ${callableAlias(tool, callable.name)}${rest(callable, resultOf(callable, types, owner(callable)))}`,
  ]);
  const result = own === undefined ? "Any" : resultOf(own, types, owner(own));
  const direct =
    own === undefined
      ? []
      : [
          `    def __call__${rest(own, result)}`,
          `    def call_sync${rest(own, result)}`,
          `    def call_async${rest(own, `Coroutine[Any, Any, ${result}]`)}`,
        ];
  // Names that the tool does not have are the first check's to find.
  const open = ["    def __getattr__(self, name: str) -> Any: ...", "    def __getitem__(self, name: str) -> Any: ..."];
  const called = own === undefined ? ["    def __call__(self, *args: Any, **kwargs: Any) -> Any: ..."] : [];
  return [`class ${name}:`, ...methods, ...direct, ...called, ...open].join("\n");
}

function resultOf({ outputSchema }: ToolCallable, types: TypeWriter, owner: string): string {
  return outputSchema === undefined ? "Any" : types.typeOf(outputSchema, outputSchema, `${className(owner)}Result`);
}

/** `(self, city: str, unit: str | None = ...) -> Any: ...`, in the order in which positional arguments fill them. */
function rest(callable: ToolCallable, result: string): string {
  const { parameters, inputSchema } = callable;
  const typeOf = argumentTypes(inputSchema);
  let isOptional = false;
  const written = parameters.map((parameter) => {
    // Python wants a default behind a default; that an argument is missing is the first check's to say.
    isOptional ||= !parameter.required;
    const type = typeOf(parameter);
    const admitted = parameter.required ? type : union([type, "None"]);
    return `${parameterAlias(callable, parameter.name)}: ${admitted}${isOptional ? " = ..." : ""}`;
  });
  // Without a schema of all arguments the adapter knows: a recipe of a command takes the other options of its tool too.
  const others = freeName("others", new Set(parameters.map(({ name }) => parameterAlias(callable, name))));
  const more = inputSchema === undefined || takesMore(inputSchema) ? [`**${others}: Any`] : [];
  return `(${["self", "/", ...written, ...more].join(", ")}) -> ${result}: ...`;
}

/**
 * A dict that is any dict, but for the types behind its known keys. A second way to ask for a key lets the checker say
 * which key it was asked for; nothing can be one. Where there may be more keys, the second way is for those.
 */
function knownKeys(fields: readonly Field[], isOpen: boolean): string {
  const ways = fields.flatMap(({ key, type }) => [
    "    @overload",
    `    def __getitem__(self, key: Literal[${pythonRepr(key)}], /) -> ${type}: ...`,
  ]);
  if (ways.length === 0) return "class \u0000(dict[str, Any]): ...";
  const other = ["    @overload", `    def __getitem__(self, key: ${isOpen ? "str" : "_NoKey"}, /) -> Any: ...`];
  return ["class \u0000(dict[str, Any]):", ...ways, ...other].join("\n");
}
