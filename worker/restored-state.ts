import type { PyodideAPI } from "pyodide";

/**
 * What a snapshot brings along that was true where it was made and may not be
 * here: Pyodide and the C library look once, and keep it in the memory that is
 * copied.
 */

/** Emscripten's module, as far as it is read here. */
interface EmscriptenModule {
  readonly HEAP32: Int32Array;
  readonly HEAPU32: Uint32Array;
  /** Address of CPython's runtime state. */
  readonly __PyRuntime: number;
  /** Address of the offset in it at which the trampoline's table index is. */
  readonly __PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET: number;
  readonly _timezone: number;
  readonly _daylight: number;
  readonly _tzname: number;
  __tzset_js(timezone: number, daylight: number, standardName: number, summerName: number): void;
}

const ADDRESSES = ["__PyRuntime", "__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET", "_timezone", "_daylight", "_tzname"] as const;

/**
 * The function through which CPython calls C functions whose signature it does
 * not know. Where the engine can, Pyodide makes one of WebAssembly and notes its
 * place; without it every such call goes through JavaScript, which is slow and
 * which stack switching cannot cross.
 */
export class CallTrampoline {
  #module: EmscriptenModule | undefined;
  #index = 0;

  /** Call when Pyodide has made the trampoline, before the snapshot is copied over it. */
  note(module: unknown): void {
    this.#module = emscriptenModule(module);
    this.#index = this.#module.HEAP32[trampolineAddress(this.#module) >>> 2] ?? 0;
  }

  /** Call when the snapshot is there. */
  restore(): void {
    if (this.#module === undefined) throw new TypeError("Pyodide did not call its preRun functions.");
    this.#module.HEAP32[trampolineAddress(this.#module) >>> 2] = this.#index;
  }
}

/** Takes the browser's time zone in the place of the snapshot's. */
export function refreshTimeZone(pyodide: PyodideAPI): void {
  const module = emscriptenModule(Reflect.get(pyodide, "_module"));
  const { HEAPU32: words, _tzname: names } = module;
  module.__tzset_js(module._timezone, module._daylight, words[names >>> 2] ?? 0, words[(names >>> 2) + 1] ?? 0);
}

function trampolineAddress(module: EmscriptenModule): number {
  const offset = module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >>> 2] ?? 0;
  return module.__PyRuntime + offset;
}

function emscriptenModule(module: unknown): EmscriptenModule {
  if (isEmscriptenModule(module)) return module;
  throw new TypeError("Pyodide's module is not as this release of Vitrine knows it.");
}

function isEmscriptenModule(module: unknown): module is EmscriptenModule {
  return (
    typeof module === "object" &&
    module !== null &&
    ADDRESSES.every((name) => typeof Reflect.get(module, name) === "number") &&
    "__tzset_js" in module &&
    typeof module.__tzset_js === "function" &&
    "HEAPU32" in module &&
    module.HEAPU32 instanceof Uint32Array &&
    "HEAP32" in module &&
    module.HEAP32 instanceof Int32Array
  );
}
