import type { loadPyodide, PyodideAPI } from "pyodide";

import type { PyodideFiles } from "../src/protocol/index.js";
import type { InterruptSignal } from "./interrupt-signal.js";

/**
 * Pyodide's private doors, all in this file: the loader gets its files as bytes
 * instead of fetching them, and the interrupt buffer is an object with a getter.
 * Pyodide is pinned to the exact version that this was tried with; each trick has
 * a canary test (test/browser/executor/pyodide-doors.test.ts).
 */

/** Where Pyodide believes it lies. Nothing is ever fetched from there; the name cannot resolve. */
const NOWHERE = "https://pyodide.invalid/";

interface LoaderModule {
  loadPyodide: typeof loadPyodide;
}

interface ScriptModule {
  default: NonNullable<NonNullable<Parameters<typeof loadPyodide>[0]>["createPyodideModule"]>;
}

/** @throws whatever Pyodide throws; a missing or damaged file among them. */
export async function loadInterpreter(files: PyodideFiles): Promise<PyodideAPI> {
  const loaderUrl = URL.createObjectURL(asType(files.loader, "text/javascript"));
  const scriptUrl = URL.createObjectURL(asType(files.script, "text/javascript"));
  const libraryUrl = URL.createObjectURL(files.standardLibrary);
  const restoreFetch = answerFetchWith(
    new Map([[`${NOWHERE}pyodide.asm.wasm`, asType(files.wasm, "application/wasm")]]),
  );
  try {
    const [loader, script, lockfile] = await Promise.all([
      import(/* @vite-ignore */ loaderUrl) as Promise<LoaderModule>,
      import(/* @vite-ignore */ scriptUrl) as Promise<ScriptModule>,
      files.lockfile.text(),
    ]);
    const options = {
      indexURL: NOWHERE,
      packageBaseUrl: NOWHERE,
      createPyodideModule: script.default,
      lockFileContents: lockfile,
      stdLibURL: libraryUrl,
      // The asyncio loop is ours; in older Safari Pyodide's blocking one crashes without JSPI.
      enableRunUntilComplete: false,
      stdin: () => null,
    };
    return await loader.loadPyodide(options);
  } finally {
    restoreFetch();
    for (const url of [loaderUrl, scriptUrl, libraryUrl]) URL.revokeObjectURL(url);
  }
}

/** Makes Python look at `signal` instead of at shared memory. */
export function setInterruptSignal(pyodide: PyodideAPI, signal: InterruptSignal): void {
  // Pyodide reads element 0 and writes 0 back; it asks nothing else of a typed array.
  pyodide.setInterruptBuffer(signal as unknown as Uint8Array);
}

// Streaming compilation wants a response with this type, whatever the page's server said.
function asType(blob: Blob, type: string): Blob {
  return blob.type === type ? blob : blob.slice(0, blob.size, type);
}

function answerFetchWith(answers: ReadonlyMap<string, Blob>): () => void {
  const original = self.fetch.bind(self);
  self.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const answer = answers.get(url);
    return answer === undefined
      ? original(input, init)
      : Promise.resolve(new Response(answer, { headers: { "content-type": answer.type } }));
  };
  return () => {
    self.fetch = original;
  };
}
