import type { Attempt } from "./attempt.js";

/** Calls a function with a text and nothing else, from compiled code (Rust). */
const fromPydantic = (call: string, text: string): string =>
  [
    "deps.add('pydantic-core')",
    "import js, pydantic_core, pyodide_js",
    `called = {'type': 'function-plain', 'function': {'type': 'no-info', 'function': ${call}}}`,
    `gained = pydantic_core.SchemaValidator(called).validate_python(${text})`,
  ].join("\n");

/** The same with an empty list beside it, from what Cython compiled. */
const fromMsgpack = (call: string, text: string): string =>
  [
    "deps.add('msgpack')",
    "import functools, js, msgpack",
    `gained = msgpack.unpackb(b'\\x90', list_hook=functools.partial(${call}, ${text}))`,
  ].join("\n");

/** A module of a wheel that does its work when it is imported. */
const onImport = (module: string, address: string): string =>
  [
    `__import__('builtins').escape_address = "${address}"`,
    `deps.add('${module}')`,
    "import sys",
    `sys.modules.pop('${module}', None)`,
    `import ${module}`,
    `watch(${module}.fetched)`,
  ].join("\n");

const network: readonly Pick<Attempt, "name" | "code">[] = [
  {
    name: "fetch, called by compiled code",
    code: ({ url }) => `${fromPydantic("js.fetch", `"${url}"`)}\nwatch(gained)`,
  },
  {
    name: "eval, called by compiled code",
    code: ({ url }) => `${fromPydantic("js.eval", `'fetch("${url}")'`)}\nwatch(gained)`,
  },
  {
    name: "loadPackage, called by compiled code",
    code: ({ url }) => `${fromPydantic("pyodide_js.loadPackage", `"${url}/x-1.0-py3-none-any.whl"`)}\nwatch(gained)`,
  },
  {
    name: "EventSource, called by compiled code",
    code: ({ url }) => fromPydantic("js.EventSource.new", `"${url}"`),
  },
  {
    name: "WebSocket, called by a compiled module's hook",
    code: ({ webSocketUrl }) => fromMsgpack("js.WebSocket.new", `"${webSocketUrl}"`),
  },
  {
    name: "fetch, called by a compiled module's hook",
    code: ({ url }) => `${fromMsgpack("js.fetch", `"${url}"`)}\nwatch(gained)`,
  },
  { name: "a wheel whose module fetches when it is imported", code: ({ url }) => onImport("escape_on_import", url) },
  { name: "a wheel whose module loads packages by pyodide_js", code: ({ url }) => onImport("escape_loader", url) },
];

/** What a wheel reaches when it runs: as its twin a session at `local`, which has the same wheels. */
export const wheels: readonly Attempt[] = network.map((attempt) => ({
  ...attempt,
  ring: "worker",
  group: "network",
  language: "python",
  sign: "bytes",
  twin: "local",
}));
