import type { Attempt } from "./attempt.js";

/** Python in a session. `watch(promise)` lets the harness see how a promise ends. */
/** Python's own sockets again, in place of those that say at once that there is no network. */
const sockets = "import socket, _socket\nsocket.socket.connect = _socket.socket.connect\n";

const network: readonly Pick<Attempt, "name" | "code" | "hasOwnPorts">[] = [
  { name: "fetch of module js", code: ({ url }) => `import js\nwatch(js.fetch("${url}"))` },
  {
    name: "XMLHttpRequest of module js",
    code: ({ url }) =>
      `import js\nrequest = js.XMLHttpRequest.new()\nrequest.open("GET", "${url}", False)\nrequest.send()\nrequest.status`,
  },
  {
    name: "WebSocket of module js",
    code: ({ webSocketUrl }) => `import js\nsocket = js.WebSocket.new("${webSocketUrl}")`,
  },
  { name: "pyodide.http.open_url", code: ({ url }) => `from pyodide.http import open_url\nopen_url("${url}").read()` },
  {
    name: "pyodide.http.pyfetch",
    code: ({ url }) =>
      `from pyodide.http import pyfetch\nimport asyncio\ncoroutine = pyfetch("${url}")\ntry:\n    coroutine.send(None)\nexcept StopIteration:\n    pass`,
  },
  { name: "eval of module js", code: ({ url }) => `import js\nwatch(js.eval('fetch("${url}")'))` },
  {
    name: "run_js of pyodide.code",
    code: ({ url }) => `from pyodide.code import run_js\nwatch(run_js('fetch("${url}")'))`,
  },
  {
    name: "the Function constructor",
    code: ({ url }) => `import js\nwatch(js.Function.new('return fetch("${url}")')())`,
  },
  {
    name: "a function's constructor, found from any object",
    code: ({ url }) => `import js\nwatch(js.Object.constructor('return fetch("${url}")')())`,
  },
  { name: "a timer given text", code: ({ url }) => `import js\njs.setTimeout('fetch("${url}")', 0)` },
  {
    name: "importScripts",
    code: ({ url }) =>
      `import js\nfrom pyodide.ffi import to_js\njs.Reflect.apply(js.WorkerGlobalScope.prototype.importScripts, js.self, to_js(["${url}"]))`,
  },
  {
    name: "loadPackage of pyodide_js",
    code: ({ url }) => `import pyodide_js\nwatch(pyodide_js.loadPackage("${url}/x-1.0-py3-none-any.whl"))`,
  },
  {
    name: "a lazy file of the interpreter's file system",
    code: ({ url }) =>
      `import pyodide_js\npyodide_js.FS.createLazyFile("/tmp", "lazy", "${url}", True, False)\nopen("/tmp/lazy").read()`,
  },
  {
    name: "a socket of Python",
    hasOwnPorts: true,
    // Kept, and not waited for: poll answers at once here, so that a timeout closes what the browser is about to open.
    code: ({ rawPort }) =>
      `import _socket\nkept_socket = _socket.socket()\nkept_socket.setblocking(False)\nkept_socket.connect_ex(("127.0.0.1", ${rawPort}))`,
  },
  {
    name: "emscripten_run_script through ctypes",
    code: ({ url }) => `import ctypes\nctypes.CDLL(None).emscripten_run_script(b'fetch("${url}")')`,
  },
  {
    name: "a nested worker of module js",
    code: ({ url }) =>
      `import js\nfrom pyodide.ffi import to_js\ntext = js.Blob.new(to_js(['fetch("${url}")']))\nworker = js.Worker.new(js.URL.createObjectURL(text))`,
  },
  {
    name: "urllib.request",
    hasOwnPorts: true,
    code: ({ rawPort }) =>
      `${sockets}import urllib.request\nurllib.request.urlopen("http://127.0.0.1:${String(rawPort)}/secret", timeout=2)`,
  },
  {
    name: "http.client",
    hasOwnPorts: true,
    code: ({ rawPort }) =>
      `${sockets}import http.client\nhttp.client.HTTPConnection("127.0.0.1", ${String(rawPort)}, timeout=2).request("GET", "/secret")`,
  },
  { name: "pyodide.http.pyxhr", code: ({ url }) => `from pyodide.http import pyxhr\npyxhr.get("${url}")` },
  {
    name: "emscripten_run_script_int through ctypes",
    code: ({ url }) => `import ctypes\nctypes.CDLL(None).emscripten_run_script_int(b'fetch("${url}"), 1')`,
  },
  {
    name: "the prototype's own fetch",
    code: ({ url }) =>
      `import js\nfrom pyodide.ffi import to_js\nscope = js.Object.getPrototypeOf(js.Object.getPrototypeOf(js.self))\nfetch = js.Reflect.get(scope, "fetch", js.self)\nwatch(js.Reflect.apply(fetch, js.self, to_js(["${url}"])))`,
  },
];

export const worker: readonly Attempt[] = network.map((attempt) => ({
  ...attempt,
  ring: "worker",
  group: "network",
  language: "python",
  sign: "bytes",
  twin: "local",
}));
