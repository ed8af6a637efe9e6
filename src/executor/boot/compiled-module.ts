import type { WorkerHost } from "../hosts/worker-host.js";

/** By the file that it was compiled from. */
const compiled = new WeakMap<Blob, Promise<WebAssembly.Module | null>>();

/**
 * Pyodide's code, compiled once for all workers of the page: they share it, and what the engine makes faster of it while
 * they run. It stays as long as the file does, for the next interpreter. Null where the worker has to compile the file
 * itself: a sealed frame is of another origin, to which no module can be sent; and what is wrong with the file a worker
 * says.
 */
export function compiledFor({ kind }: WorkerHost, wasm: Blob): Promise<WebAssembly.Module | null> {
  if (kind !== "page") return Promise.resolve(null);
  const known = compiled.get(wasm) ?? compile(wasm);
  compiled.set(wasm, known);
  return known;
}

async function compile(wasm: Blob): Promise<WebAssembly.Module | null> {
  try {
    return await WebAssembly.compileStreaming(new Response(wasm, { headers: { "content-type": "application/wasm" } }));
  } catch {
    return null;
  }
}
