import type { Operation } from "../bench-page.js";

/** How the worker of the raw sides waits for the page. */
export type Waiting = "atomics" | "promise";

/** From the page: measure this. */
export interface RawTask {
  readonly kind: "task";
  /** Whether the calls are made from Python, or from the worker's JavaScript. */
  readonly from: "python" | "javascript";
  readonly waiting: Waiting;
  readonly operation: Operation;
  readonly count: number;
  readonly memory: SharedArrayBuffer | null;
}

/** From the worker: one call. */
export interface RawCall {
  readonly kind: "call";
  readonly waiting: Waiting;
  readonly payload: string | Uint8Array<ArrayBuffer> | null;
}

/** From the worker: the task took so many milliseconds, or failed. */
export type RawEnd =
  | { readonly kind: "end"; readonly time: number }
  | { readonly kind: "failed"; readonly message: string };

/** From the page: the answer of a call whose worker waits on a promise. */
export interface RawAnswer {
  readonly kind: "answer";
  readonly payload: string | Uint8Array<ArrayBuffer>;
}

/** Int32 indexes of the shared memory; the payload begins at byte `PAYLOAD`. */
export const STATE = 0;
export const LENGTH = 1;
export const PAYLOAD = 8;
