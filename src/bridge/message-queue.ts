import { hasBlobs, readBlobs, Slices } from "../protocol/index.js";

export interface MessageQueueOptions {
  readonly hear: (message: unknown) => void;
  /** Whether a message does not wait for those before it. */
  readonly overtakes: (message: unknown) => boolean;
  /** A message cannot be read. Nothing is heard after it. */
  readonly fail: (error: unknown) => void;
  /** Messages that may wait behind one whose blobs are read. */
  readonly longest: number;
}

/** Hands messages on in the order in which they came: one with blobs once those are read, and most others after it. */
export class MessageQueue {
  readonly #options: MessageQueueOptions;
  readonly #waiting: unknown[] = [];
  readonly #closing = new AbortController();

  constructor(options: MessageQueueOptions) {
    this.#options = options;
  }

  /** @returns false when there are too many. */
  take(data: unknown): boolean {
    const isFirst = this.#waiting.length === 0;
    if (!hasBlobs(data) && (isFirst || this.#options.overtakes(data))) {
      this.#options.hear(data);
      return true;
    }
    this.#waiting.push(data);
    if (isFirst) void this.#readOn();
    return this.#waiting.length <= this.#options.longest;
  }

  close(): void {
    this.#closing.abort();
    this.#waiting.length = 0;
  }

  async #readOn(): Promise<void> {
    const slices = new Slices();
    try {
      while (this.#waiting.length > 0) {
        const [data] = this.#waiting;
        const message = hasBlobs(data) ? await readBlobs(data, this.#closing.signal) : data;
        await slices.rest();
        if (this.#closing.signal.aborted) return;
        this.#waiting.shift();
        this.#options.hear(message);
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#options.fail(error);
    }
  }
}
