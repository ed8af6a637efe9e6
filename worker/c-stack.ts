/** What Pyodide's module exports about its stack. Addresses are offsets in its memory. */
interface StackExports {
  /** Where it begins; it grows downwards. */
  readonly emscripten_stack_get_base: () => number;
  readonly emscripten_stack_get_end: () => number;
  readonly emscripten_stack_get_current: () => number;
  readonly PyThreadState_Get: () => number;
  readonly PyUnstable_ThreadState_SetStackProtection: (thread: number, start: number, size: number) => number;
}

/**
 * Bytes of the stack in memory after which Python's C code raises `RecursionError`. Beside that stack, of which CPython
 * knows, calls take room on the browser's own, of which it does not: that one ends an interpreter. Functions that call back
 * into Python, as `repr` does, reach its end with 350 to 400 KB in Chromium, and with 320 to 350 KB in Firefox.
 */
const BYTES_OF_RUNS = 300_000;

/** Bytes of the stack that may be in use where all of it is given to the compiler. */
const SHALLOW = 60_000;

/** How far the C code of one interpreter recurses. */
export class CStack {
  #exports: StackExports | undefined;

  /**
   * Takes what the new instance exports.
   * @throws {TypeError} when it is not what this was made for.
   */
  adopt(exports: object): void {
    if (!isStackExports(exports)) throw new TypeError("Pyodide's module exports its stack by other names.");
    this.#exports = exports;
  }

  /** Lets C code recurse as far as code of a run may. */
  protect(): void {
    this.#use(BYTES_OF_RUNS);
  }

  /** Lets it recurse as far as CPython would: to compile modules of packages, and source that was weighed. Does nothing where much of it is in use. */
  release(): void {
    const {
      emscripten_stack_get_base: base,
      emscripten_stack_get_end: end,
      emscripten_stack_get_current: current,
    } = this.#known;
    if (address(base()) - address(current()) < SHALLOW) this.#use(address(base()) - address(end()));
  }

  get #known(): StackExports {
    if (this.#exports === undefined) throw new TypeError("There is no interpreter yet.");
    return this.#exports;
  }

  #use(bytes: number): void {
    const exports = this.#known;
    const start = address(exports.emscripten_stack_get_base()) - bytes;
    exports.PyUnstable_ThreadState_SetStackProtection(exports.PyThreadState_Get(), start, bytes);
  }
}

/** WebAssembly hands out addresses as signed numbers. */
function address(value: number): number {
  return value >>> 0;
}

function isStackExports(exports: object): exports is StackExports {
  const names = [
    "emscripten_stack_get_base",
    "emscripten_stack_get_end",
    "emscripten_stack_get_current",
    "PyThreadState_Get",
    "PyUnstable_ThreadState_SetStackProtection",
  ];
  return names.every((name) => typeof Reflect.get(exports, name) === "function");
}
