import { LARGE, MEASURE, PYODIDE_PATH, PYSCRIPT_PATH, TEXT, type Operation, type Side } from "../bench-page.js";

/** What this file uses of PyScript, whose own types leave it open. */
interface PyScript {
  PyWorker: (
    file: string,
    options: { type: "pyodide"; version: string; service_worker?: string },
  ) => Promise<Worker & { sync: PyScriptSync }>;
}

interface PyScriptSync {
  echo: (text: string) => string;
  give: (data: Uint8Array) => number;
  take: () => Uint8Array;
  /** Offered by the worker. */
  time: (operation: Operation, count: number) => Promise<number>;
}

const program = `
${MEASURE}
from pyscript import sync
from pyodide.ffi import to_js
large = bytes(${String(LARGE)})
calls = {
    "echo": lambda: sync.echo(${JSON.stringify(TEXT)}),
    "give": lambda: sync.give(to_js(large)),
    "take": lambda: sync.take().to_bytes(),
}
def timed(operation, count):
    return measure(calls[operation], count)
sync.time = timed
`;

/** A worker of PyScript that calls the page through `pyscript.sync`. Interpreter and scripts from this server. */
export async function pyscriptSide({ serviceWorker }: { readonly serviceWorker?: string } = {}): Promise<Side> {
  const { PyWorker } = (await import(/* @vite-ignore */ PYSCRIPT_PATH)) as PyScript;
  // Before its plugins are there, a worker would have no module `pyscript`.
  await customElements.whenDefined("py-script");
  const file = URL.createObjectURL(new Blob([program], { type: "text/x-python" }));
  const worker = await PyWorker(file, {
    type: "pyodide",
    // An address in place of a version keeps it from asking a CDN.
    version: new URL(`${PYODIDE_PATH}pyodide.mjs`, location.href).href,
    ...(serviceWorker === undefined ? {} : { service_worker: serviceWorker }),
  });
  const large = new Uint8Array(LARGE);
  worker.sync.echo = (text) => text;
  worker.sync.give = (data) => data.byteLength;
  worker.sync.take = () => large;
  return {
    time: (operation, count) => worker.sync.time(operation, count),
    close: () => worker.terminate(),
  };
}
