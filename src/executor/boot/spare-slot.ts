import { messageOf, type WheelBytes } from "../../protocol/index.js";
import { prepareWorker, type InterpreterSource, type Preparation } from "./prepare-worker.js";

/** Whether a spare interpreter is kept ready. */
export type SparePolicy = "none" | "one";

/** What is kept ready, and what it costs. */
export interface SpareStatus {
  readonly state: "none" | "preparing" | "ready";
  /** Bytes of the spare's heap. The engine holds about as much again beside it: code, tables, the worker itself. */
  readonly heapSize: number;
  /** Why the last one could not be made, or died. */
  readonly problem: string | null;
}

/** Milliseconds after an interpreter was handed out until the next is made: the page has other things to do first. */
const REFILL_DELAY = 300;

/** Milliseconds that a spare waits for another session once the last one is closed. */
const LINGER = 60_000;

interface Spare {
  readonly preparation: Preparation;
  /** The packages in it. */
  readonly packages: string;
}

/**
 * One spare interpreter for sessions that want the same: trust level, files and
 * packages. Shared by the sessions of a page.
 */
export class SpareSlot {
  readonly #source: InterpreterSource;
  #spare: Spare | undefined;
  #preparing: { readonly packages: string; readonly cancel: (reason: Error) => void } | undefined;
  #refill: ReturnType<typeof setTimeout> | undefined;
  #linger: ReturnType<typeof setTimeout> | undefined;
  #users = 0;
  #problem: string | null = null;

  constructor(source: InterpreterSource) {
    this.#source = source;
  }

  get status(): SpareStatus {
    const state = this.#spare !== undefined ? "ready" : this.#preparing !== undefined ? "preparing" : "none";
    return { state, heapSize: this.#spare?.preparation.heapSize ?? 0, problem: this.#problem };
  }

  /** A session begins to use this slot. */
  retain(): void {
    this.#users += 1;
    clearTimeout(this.#linger);
  }

  /** A session is closed. The spare waits a minute for another one. */
  release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    clearTimeout(this.#refill);
    this.#linger = setTimeout(() => {
      this.clear();
    }, LINGER);
  }

  /** Hands out the spare if it holds exactly these packages. One that holds others is ended. */
  take(wheels: readonly WheelBytes[]): Preparation | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined || spare.packages === packagesOf(wheels)) return spare?.preparation;
    spare.preparation.worker.end();
    return undefined;
  }

  /** A session's packages are others now: a spare with any others is ended, and one with these made in a moment. */
  replace(wheels: () => readonly WheelBytes[]): void {
    const wanted = packagesOf(wheels());
    if (this.#spare?.packages === wanted || this.#preparing?.packages === wanted) return;
    this.clear();
    this.refill(wheels);
  }

  /** Makes a spare in a moment, if there is none. */
  refill(wheels: () => readonly WheelBytes[]): void {
    clearTimeout(this.#refill);
    this.#refill = setTimeout(() => {
      void this.prepare(wheels());
    }, REFILL_DELAY);
  }

  /** Makes a spare now, if there is none. Resolves when it is ready, or could not be made: see `status.problem`. */
  async prepare(wheels: readonly WheelBytes[]): Promise<void> {
    if (this.#spare !== undefined || this.#preparing !== undefined) return;
    const { promise: cancelled, reject: cancel } = Promise.withResolvers<never>();
    cancelled.catch(() => undefined);
    const preparing = { packages: packagesOf(wheels), cancel };
    this.#preparing = preparing;
    try {
      const preparation = await prepareWorker(this.#source, { wheels, onProgress: () => undefined, cancelled });
      try {
        await Promise.race([preparation.worker.tryBlobUrls(), cancelled]);
      } catch (error) {
        preparation.worker.end();
        throw error;
      }
      if (this.#preparing !== preparing) {
        preparation.worker.end();
        return;
      }
      const spare = { preparation, packages: preparing.packages };
      this.#spare = spare;
      this.#problem = null;
      void preparation.worker.lost.then((error) => {
        if (this.#spare !== spare) return;
        this.#spare = undefined;
        this.#problem = error.message;
        preparation.worker.end(error);
      });
    } catch (error) {
      // Sessions go on without a spare; the status says why there is none.
      if (this.#preparing === preparing) this.#problem = messageOf(error);
    } finally {
      if (this.#preparing === preparing) this.#preparing = undefined;
    }
  }

  /** Ends the spare, and the making of one. */
  clear(): void {
    clearTimeout(this.#refill);
    this.#preparing?.cancel(new Error("no spare is wanted any more"));
    this.#preparing = undefined;
    this.#spare?.preparation.worker.end();
    this.#spare = undefined;
  }
}

/** A session's share in a slot. */
export class SpareShare {
  readonly #slot: SpareSlot;
  /** What a spare was last asked for with. */
  #packages = "";

  constructor(slot: SpareSlot) {
    this.#slot = slot;
    slot.retain();
  }

  get status(): SpareStatus {
    return this.#slot.status;
  }

  take(wheels: readonly WheelBytes[]): Preparation | undefined {
    return this.#slot.take(wheels);
  }

  refill(wheels: () => readonly WheelBytes[]): void {
    this.#packages = packagesOf(wheels());
    this.#slot.refill(wheels);
  }

  /** Code that ran may have added packages, which the next interpreter begins with. */
  keepLevel(wheels: () => readonly WheelBytes[]): void {
    const packages = packagesOf(wheels());
    if (packages === this.#packages) return;
    this.#packages = packages;
    this.#slot.replace(wheels);
  }

  release(): void {
    this.#slot.release();
  }
}

const slots = new Map<string, SpareSlot>();

/**
 * The page's slot for interpreters of this kind.
 * @param key - trust level and files. Sessions with a host of their own have no slot.
 */
export function spareSlot(key: string, source: InterpreterSource): SpareSlot {
  let slot = slots.get(key);
  if (slot === undefined) {
    slot = new SpareSlot(source);
    slots.set(key, slot);
  }
  return slot;
}

/** The same text for the same packages, whatever their order. */
function packagesOf(wheels: readonly WheelBytes[]): string {
  return wheels
    .map(({ filename }) => filename)
    .sort()
    .join("\n");
}
