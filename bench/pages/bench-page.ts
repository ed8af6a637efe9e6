/** What is called again and again: a text there and back, 10 MB to the page, 10 MB from the page. */
export type Operation = "echo" | "give" | "take";

/** One party of a comparison, on this page and in a worker of it. */
export interface Side {
  /** Makes `count` calls. Milliseconds that the worker's own clock counted for all of them. */
  time(operation: Operation, count: number): Promise<number>;
  close(): void | Promise<void>;
}

/** What the benchmark asks of the page with the calls. */
export interface CallsPage {
  /** Milliseconds for `count` calls. The first use of a side starts it. */
  time(side: string, operation: Operation, count: number): Promise<number>;
  /** Milliseconds per step of one tool call. */
  breakdown(transport: "shared-memory" | "jspi"): Promise<Readonly<Record<string, number>>>;
  close(side: string): void;
}

/** What one visit of a page that opens an interpreter gives. Milliseconds since the page began to load its scripts. */
export interface Opening {
  readonly open: number;
  readonly firstResult: number;
  /** Where the time went, as far as the page knows. */
  readonly stages: Readonly<Record<string, number>>;
}

declare global {
  var started: number;
  var calls: CallsPage | undefined;
  var opening: Promise<Opening> | undefined;
}

/** 100 characters. */
export const TEXT = "Vitrine".padEnd(100, ".");

/** Bytes. */
export const LARGE = 10_000_000;

/** Where the benchmark's server has Pyodide and PyScript for those who fetch them themselves. */
export const PYODIDE_PATH = "/pyodide/";
export const PYSCRIPT_PATH = "/pyscript/core.js";

/** Python that every side runs: `measure(call, count)` gives milliseconds. */
export const MEASURE = `
import time
def measure(call, count):
    call()
    started = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - started) * 1000
`;
