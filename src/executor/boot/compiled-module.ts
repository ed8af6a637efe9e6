import type { WorkerHost } from "../hosts/worker-host.js";

type Compiled = Promise<WebAssembly.Module | null>;

/** By the file that it is compiled from; `"once"` where one worker has asked so far. */
const compiled = new WeakMap<Blob, Compiled | "once">();

/**
 * Pyodide's code, compiled once for workers of the page: they share it, and what the engine makes faster of it while they
 * run. It stays as long as the file does, for the next interpreter.
 *
 * Null where the worker has to compile the file itself: the first one of a page, which may be the only one, does so while
 * it does other things; a sealed frame is of another origin, to which no module can be sent; and what is wrong with the
 * file a worker says.
 */
export function compiledFor({ kind }: WorkerHost, wasm: Blob): Compiled {
  if (kind !== "page") return Promise.resolve(null);
  const known = compiled.get(wasm);
  if (known === undefined) {
    compiled.set(wasm, "once");
    return Promise.resolve(null);
  }
  const module = known === "once" ? compile(wasm) : known;
  compiled.set(wasm, module);
  return module;
}

async function compile(wasm: Blob): Compiled {
  try {
    return await WebAssembly.compileStreaming(new Response(wasm, { headers: { "content-type": "application/wasm" } }));
  } catch {
    // The next one tries again.
    compiled.set(wasm, "once");
    return null;
  }
}
