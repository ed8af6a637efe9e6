import type { loadPyodide, PyodideAPI } from "pyodide";

import type { PyodideFiles } from "../src/protocol/index.js";
import type { CStack } from "./c-stack.js";
import type { InterpreterMemory } from "./interpreter-memory.js";
import { CallTrampoline } from "./restored-state.js";
import type { InterruptSignal } from "./interrupt-signal.js";

/**
 * The internals of Pyodide that we use, all but those of `_host.py` in this file: the loader gets its files as bytes
 * instead of fetching them, its code compiled already, the interrupt buffer is an object with a getter, and fatal errors
 * are reported through us.
 * Pyodide is pinned to the exact version that this was tried with; each trick has
 * a canary test (test/browser/executor/pyodide-internals.test.ts).
 */

/** Where Pyodide believes it lies. Nothing is ever fetched from there; the name cannot resolve. */
const NOWHERE = "https://pyodide.invalid/";

interface LoaderModule {
  loadPyodide: typeof loadPyodide;
}

type CreateModule = NonNullable<NonNullable<Parameters<typeof loadPyodide>[0]>["createPyodideModule"]>;

interface ScriptModule {
  default: CreateModule;
}

/** How an interpreter is loaded, beside the files it is made of. */
export interface LoadOptions {
  readonly memory: InterpreterMemory;
  readonly stack: CStack;
  /** What the files' WebAssembly was compiled to. Default, and null: it is compiled here. */
  readonly module?: WebAssembly.Module | null;
  /** Memory of an interpreter of the same build, to go on from. It is not copied before use. */
  readonly snapshot?: Uint8Array<ArrayBuffer>;
  /** Whether `makeMemorySnapshot` is going to be called. Makes `js` a recording proxy: not for code that uses it. */
  readonly forSnapshot?: boolean;
}

/** @throws whatever Pyodide throws; a missing or damaged file among them, or a snapshot of another build. */
export async function loadInterpreter(
  files: PyodideFiles,
  { memory, stack, module = null, snapshot, forSnapshot = false }: LoadOptions,
): Promise<PyodideAPI> {
  const loaderUrl = URL.createObjectURL(asType(files.loader, "text/javascript"));
  const scriptUrl = URL.createObjectURL(asType(files.script, "text/javascript"));
  const libraryUrl = URL.createObjectURL(files.standardLibrary);
  const restoreFetch = answerFetchWith(
    new Map([[`${NOWHERE}pyodide.asm.wasm`, asType(module === null ? files.wasm : new Blob(), "application/wasm")]]),
  );
  const restoreInstantiation = module === null ? () => undefined : answerInstantiationWith(module);
  try {
    const [loader, script, lockfile] = await Promise.all([
      import(/* @vite-ignore */ loaderUrl) as Promise<LoaderModule>,
      import(/* @vite-ignore */ scriptUrl) as Promise<ScriptModule>,
      files.lockfile.text(),
    ]);
    const trampoline = new CallTrampoline();
    const guards = { memory, stack, size: snapshot?.byteLength ?? 0, trampoline };
    const options = {
      indexURL: NOWHERE,
      packageBaseUrl: NOWHERE,
      createPyodideModule: withGuards(script.default, guards),
      lockFileContents: lockfile,
      stdLibURL: libraryUrl,
      // The asyncio loop is ours; in older Safari Pyodide's blocking one crashes without JSPI.
      enableRunUntilComplete: false,
      stdin: () => null,
      ...(forSnapshot ? { _makeSnapshot: true } : {}),
      ...(snapshot === undefined ? {} : { _loadSnapshot: snapshot }),
    };
    const pyodide = await loader.loadPyodide(options);
    if (snapshot !== undefined) trampoline.restore();
    return pyodide;
  } finally {
    restoreFetch();
    restoreInstantiation();
    for (const url of [loaderUrl, scriptUrl, libraryUrl]) URL.revokeObjectURL(url);
  }
}

interface Guards {
  readonly memory: InterpreterMemory;
  readonly stack: CStack;
  /** Bytes that the memory has at least. */
  readonly size: number;
  readonly trampoline: CallTrampoline;
}

/** Lets the guards in where Pyodide makes its module. */
function withGuards(createModule: CreateModule, { memory, stack, size, trampoline }: Guards): CreateModule {
  return (settings) => {
    const { instantiateWasm } = settings;
    if (instantiateWasm === undefined)
      throw new TypeError("Pyodide does not instantiate its module by a hook any more.");
    const guarded: typeof instantiateWasm = (imports, receive) => {
      memory.guard(imports.env);
      instantiateWasm(imports, (instance, module) => {
        memory.adopt(instance.exports.memory, size);
        stack.adopt(instance.exports);
        receive(instance, module);
      });
    };
    // Emscripten goes on to use the very object that it is given.
    const note = (module: unknown): void => {
      trampoline.note(module);
    };
    Object.assign(settings, { instantiateWasm: guarded, preRun: [...settings.preRun, note] });
    return createModule(settings);
  };
}

/** What Python reads an interrupt from, and writes back a zero to. */
const BUFFER = "Py_EmscriptenSignalBuffer";
const SIGINT = 2;

/**
 * Makes Python look at `signal` instead of at shared memory. It asks for the buffer
 * first and for what is in it only if there is one: there is none until something is
 * due, since an element that is computed costs the engine far more than a property.
 */
export function setInterruptSignal(pyodide: PyodideAPI, signal: Pick<InterruptSignal, "poll">): void {
  const pending = new Uint8Array(1);
  const module: unknown = Reflect.get(pyodide, "_module");
  if (typeof module !== "object" || module === null) throw new Error("This Pyodide does not show its module.");
  // The getter of another signal would not let itself be written over.
  Reflect.deleteProperty(module, BUFFER);
  // Turns the asking on.
  pyodide.setInterruptBuffer(pending);
  Object.defineProperty(module, BUFFER, {
    configurable: true,
    get: () => {
      // A pending interrupt stays until Python has taken it.
      if (pending[0] === 0 && signal.poll()) pending[0] = SIGINT;
      return pending[0] === 0 ? undefined : pending;
    },
  });
}

/** Calls back when the interpreter is lost, before Pyodide says so on standard error. */
export function beforeFatalError(pyodide: PyodideAPI, act: () => void): void {
  const api: unknown = Reflect.get(pyodide, "_api");
  const report: unknown = typeof api === "object" && api !== null ? Reflect.get(api, "fatal_error") : undefined;
  if (typeof api !== "object" || api === null || typeof report !== "function")
    throw new TypeError("This Pyodide reports fatal errors by another name.");
  Reflect.set(api, "fatal_error", (error: unknown): void => {
    act();
    // Throws it again.
    Reflect.apply(report, api, [error]);
  });
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

/** Pyodide takes what it compiles from the response of its file alone. */
function answerInstantiationWith(module: WebAssembly.Module): () => void {
  const original = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const instance = await WebAssembly.instantiate(module, imports);
    return { instance, module };
  };
  return () => {
    WebAssembly.instantiateStreaming = original;
  };
}
