import type { StorageBackend } from "./backend.js";
import { encodeText, listKeys } from "./records.js";

/** Milliseconds that lines which nobody waits for may wait for company. */
const GROUP_DELAY = 30;
/** Characters of a segment beyond which the next one is begun. Small, since a growing one is written whole each time. */
const SEGMENT_SIZE = 8000;
/** Characters that are kept for another attempt while the storage refuses them. */
const MAX_BACKLOG = 500_000;

export interface SegmentWriterOptions {
  /** What the keys of the segments begin with. */
  readonly prefix: string;
  /** Tells the segments of one page's life from those of others. */
  readonly life: string;
  /** Segments beyond which the oldest under the prefix are deleted at the first write. Default: none are. */
  readonly maxSegments?: number;
}

/**
 * Appends lines to records of the storage, whose keys stand in the order of the lines. One write is under way at a time;
 * what comes meanwhile goes together in the next one.
 */
export class SegmentWriter {
  readonly #storage: StorageBackend;
  readonly #options: SegmentWriterOptions;
  #segment: { readonly key: string; readonly text: string } | undefined;
  #number = 0;
  #time = 0;
  #waiting: Batch | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing = false;
  #underWay: Batch | undefined;
  /** The last write was refused, and its lines go with the next one. */
  #hasFailed = false;

  constructor(storage: StorageBackend, options: SegmentWriterOptions) {
    this.#storage = storage;
    this.#options = options;
  }

  /**
   * The promise settles when the line is stored, or could not be. `urgent`
   * starts the write before this tick ends; other lines wait a moment.
   */
  append(line: string, { urgent }: { readonly urgent: boolean }): Promise<void> {
    const batch = (this.#waiting ??= new Batch());
    batch.text += `${line}\n`;
    if (urgent && !batch.urgent) {
      batch.urgent = true;
      // Calls that start together share the write.
      queueMicrotask(() => void this.#write());
    } else if (!batch.urgent && !this.#writing) {
      this.#schedule();
    }
    return batch.done;
  }

  /** Stores what waits, and with `again` what was refused before. Rejects when the storage refuses it. */
  async flush({ again = false }: { readonly again?: boolean } = {}): Promise<void> {
    const underWay = this.#underWay;
    if (this.#waiting === undefined && underWay === undefined && !(again && this.#hasFailed)) return;
    const batch = (this.#waiting ??= new Batch());
    batch.urgent = true;
    void this.#write();
    await Promise.all([underWay?.done, batch.done]);
  }

  async #write(): Promise<void> {
    const batch = this.#waiting;
    if (batch === undefined || this.#writing) return;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = true;
    this.#underWay = batch;
    const first = this.#segment === undefined && this.#number === 0;
    const segment = this.#segment ?? { key: this.#nextKey(), text: "" };
    const text = segment.text + batch.text;
    try {
      await this.#storage.write(new Map([[segment.key, encodeText(text)]]));
      this.#segment = text.length < SEGMENT_SIZE ? { key: segment.key, text } : undefined;
      this.#hasFailed = false;
      batch.resolve();
      if (first) void this.#prune();
    } catch (error) {
      // The next write tries these lines again, unless they have become too many.
      this.#segment = text.length < MAX_BACKLOG ? { key: segment.key, text } : undefined;
      this.#hasFailed = true;
      batch.reject(error);
    } finally {
      this.#writing = false;
      this.#underWay = undefined;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#waiting === undefined) return;
    if (this.#waiting.urgent) void this.#write();
    else this.#timer ??= setTimeout(() => void this.#write(), GROUP_DELAY);
  }

  #nextKey(): string {
    this.#number += 1;
    // Keys are read in their order, also after the clock was set back.
    this.#time = Math.max(this.#time, Date.now());
    const time = String(this.#time).padStart(14, "0");
    const { prefix, life } = this.#options;
    return `${prefix}${time}-${life}-${String(this.#number).padStart(6, "0")}`;
  }

  async #prune(): Promise<void> {
    const { prefix, maxSegments = Infinity } = this.#options;
    if (maxSegments === Infinity) return;
    try {
      const keys = await listKeys(this.#storage, prefix);
      const old = keys.slice(0, Math.max(0, keys.length - maxSegments));
      if (old.length > 0) await this.#storage.write(new Map(old.map((key) => [key, null])));
    } catch {
      // The next life of the page tries again; a store that cannot be written tells so where it matters.
    }
  }
}

class Batch {
  text = "";
  urgent = false;
  readonly done: Promise<void>;
  resolve: () => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Most callers do not wait, and a refused write must not surface as an unhandled rejection.
    this.done.catch(() => undefined);
  }
}
