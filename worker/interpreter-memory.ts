/** The imports of Pyodide's WebAssembly module that are answered here first. */
interface WasmImports {
  clock_time_get: WasiClock;
  emscripten_resize_heap: ResizeHeap;
}

type WasiClock = (clock: number, precision: bigint, target: number) => number;
type ResizeHeap = (requested: number) => number | boolean;

const REALTIME_CLOCK = 0;
const NANOSECONDS = 1_000_000;
const PAGE = 65_536;

/**
 * Memory and clock of one interpreter: a limit on its heap, and a monotonic clock
 * that goes on from where a snapshot was taken.
 *
 * The limit is for code that runs away. Code that reaches JavaScript can take
 * memory past it; what bounds that is the browser.
 */
export class InterpreterMemory {
  /** Bytes. Past it Python's allocations fail with `MemoryError`. */
  limit = Infinity;
  /** Whether an allocation was refused since this was last set to false. */
  wasRefused = false;
  /** Bytes: the limit of the run that goes on. */
  #runLimit = Infinity;
  #memory: WebAssembly.Memory | undefined;
  #clockOffset = 0n;

  /** Bytes that the heap has now. It never shrinks. */
  get size(): number {
    return this.#memory?.buffer.byteLength ?? 0;
  }

  /** Bytes that the heap may have now. */
  get effectiveLimit(): number {
    return Math.min(this.limit, this.#runLimit);
  }

  /** Begins a run that may add so many bytes to the heap; without a number as many as the session may have. */
  beginRun(growth = Infinity): void {
    this.#runLimit = this.size + growth;
  }

  /** Lets `time.monotonic` run `milliseconds` ahead of this worker's own clock. */
  advanceClock(milliseconds: number): void {
    this.#clockOffset = BigInt(Math.round(milliseconds * NANOSECONDS));
  }

  /**
   * Puts the guards into the imports of the module that is about to be instantiated.
   * @throws {TypeError} when they are not what this was made for.
   */
  guard(imports: unknown): void {
    if (!isWasmImports(imports)) throw new TypeError("Pyodide's module imports its clock and its heap by other names.");
    const { clock_time_get: clock, emscripten_resize_heap: resize } = imports;
    const guardedClock: WasiClock = (kind, precision, target) => {
      const result = clock(kind, precision, target);
      if (kind !== REALTIME_CLOCK && this.#clockOffset !== 0n && this.#memory !== undefined) {
        const view = new DataView(this.#memory.buffer);
        view.setBigInt64(target >>> 0, view.getBigInt64(target >>> 0, true) + this.#clockOffset, true);
      }
      return result;
    };
    const guardedResize: ResizeHeap = (requested) => {
      if (requested >>> 0 <= this.effectiveLimit) return resize(requested);
      this.wasRefused = true;
      return false;
    };
    // Emscripten reads a function's signature from a property of it.
    imports.clock_time_get = Object.assign(guardedClock, clock);
    imports.emscripten_resize_heap = Object.assign(guardedResize, resize);
  }

  /** Takes the new instance's memory, at least `size` bytes of it: a snapshot is copied into it whole. */
  adopt(memory: unknown, size: number): void {
    if (!(memory instanceof WebAssembly.Memory)) throw new TypeError("Pyodide's module exports no memory.");
    this.#memory = memory;
    const missing = size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  }
}

function isWasmImports(imports: unknown): imports is WasmImports {
  return (
    typeof imports === "object" &&
    imports !== null &&
    "clock_time_get" in imports &&
    typeof imports.clock_time_get === "function" &&
    "emscripten_resize_heap" in imports &&
    typeof imports.emscripten_resize_heap === "function"
  );
}
