import { decodeEvent, encodeEvent, sizeOfPart, totalSize, type EventPart } from "./event-bytes.js";
import type { BridgeEvent, SentEvent } from "./messages.js";

/**
 * The mailbox of the shared-memory transport: one `SharedArrayBuffer` through
 * which the page hands events to a worker that is blocked in `Atomics.wait`.
 *
 * An event is a byte stream (header, text, buffers) cut into chunks of the
 * mailbox's size, so a result has no size limit. The page writes a chunk when
 * the mailbox is empty, the worker takes it and empties the mailbox.
 */
const STATE = 0;
const LENGTH = 1;
const LAST = 2;
const INTERRUPT = 3;
/** Grows with everything the page does here, so that a worker about to sleep misses nothing. */
const SEQUENCE = 4;
const HEADER_BYTES = 32;

const EMPTY = 0;
const FULL = 1;

/** Bytes. Large enough that a usual answer is one chunk, small enough to have one per session. */
const DEFAULT_CAPACITY = 1 << 20;

/** The shared memory of one session. Only where the page is cross-origin isolated. */
export function createMailbox(capacity = DEFAULT_CAPACITY): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + capacity);
}

/** What fits into the mailbox at once. */
interface Chunk {
  readonly pieces: readonly EventPart[];
  /** Bytes. */
  readonly size: number;
  readonly last: boolean;
}

/** The page's end: never blocks. */
export class MailboxWriter {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #chunks: Chunk[] = [];
  #pumping = false;
  #closed = false;

  constructor(mailbox: SharedArrayBuffer) {
    this.#control = new Int32Array(mailbox, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(mailbox, HEADER_BYTES);
  }

  send(event: SentEvent): void {
    if (this.#closed) return;
    if (event.kind === "interrupt") {
      Atomics.store(this.#control, INTERRUPT, 1);
      this.#wake();
      return;
    }
    this.#enqueue(encodeEvent(event));
    void this.#pump();
  }

  /** Lets go of what was not taken: the worker is gone. */
  close(): void {
    this.#closed = true;
    this.#chunks.length = 0;
    Atomics.notify(this.#control, STATE);
  }

  #enqueue(parts: readonly EventPart[]): void {
    const capacity = this.#bytes.byteLength;
    let pieces: EventPart[] = [];
    let filled = 0;
    let remaining = totalSize(parts);
    for (const part of parts) {
      const size = sizeOfPart(part);
      for (let at = 0; at < size;) {
        const end = Math.min(size, at + capacity - filled);
        pieces.push(part instanceof Blob ? part.slice(at, end) : part.subarray(at, end));
        filled += end - at;
        remaining -= end - at;
        at = end;
        if (filled < capacity && remaining > 0) continue;
        this.#chunks.push({ pieces, size: filled, last: remaining === 0 });
        pieces = [];
        filled = 0;
      }
    }
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      for (;;) {
        const chunk = this.#chunks[0];
        if (chunk === undefined || this.#closed) return;
        if (Atomics.load(this.#control, STATE) === FULL) {
          await Atomics.waitAsync(this.#control, STATE, FULL).value;
          continue;
        }
        let at = 0;
        for (const piece of chunk.pieces) {
          this.#bytes.set(piece instanceof Blob ? new Uint8Array(await piece.arrayBuffer()) : piece, at);
          at += sizeOfPart(piece);
        }
        this.#chunks.shift();
        this.#control[LENGTH] = chunk.size;
        this.#control[LAST] = chunk.last ? 1 : 0;
        Atomics.store(this.#control, STATE, FULL);
        this.#wake();
      }
    } finally {
      this.#pumping = false;
    }
  }

  #wake(): void {
    Atomics.add(this.#control, SEQUENCE, 1);
    Atomics.notify(this.#control, SEQUENCE);
  }
}

/** The worker's end: blocks its thread. */
export class MailboxReader {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  #partial: Uint8Array<ArrayBuffer>[] = [];

  constructor(mailbox: SharedArrayBuffer) {
    this.#control = new Int32Array(mailbox, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(mailbox, HEADER_BYTES);
  }

  /** Takes the request to interrupt, if there is one. */
  takeInterrupt(): boolean {
    return Atomics.exchange(this.#control, INTERRUPT, 0) === 1;
  }

  /**
   * Blocks until a whole event is there; undefined once `until` has passed or an interrupt is asked for.
   * @param until - milliseconds, `performance.now`.
   * @param awakeUntil - until then the thread looks again and again before it sleeps: to be woken takes longer than
   *   most answers do.
   */
  read(until: number, awakeUntil = 0): BridgeEvent | undefined {
    for (;;) {
      const sequence = Atomics.load(this.#control, SEQUENCE);
      const event = this.#takeChunk();
      if (event !== undefined) return event;
      if (Atomics.load(this.#control, INTERRUPT) === 1) return undefined;
      if (this.#hasChanged(sequence, Math.min(until, awakeUntil))) continue;
      const remaining = until - performance.now();
      if (remaining <= 0) return undefined;
      Atomics.wait(this.#control, SEQUENCE, sequence, remaining);
    }
  }

  /** Looks, without sleeping, whether the page has done anything since `sequence`. */
  #hasChanged(sequence: number, until: number): boolean {
    while (Atomics.load(this.#control, SEQUENCE) === sequence) {
      if (performance.now() >= until) return false;
    }
    return true;
  }

  /** The event, if this chunk was its last. */
  #takeChunk(): BridgeEvent | undefined {
    if (Atomics.load(this.#control, STATE) !== FULL) return undefined;
    this.#partial.push(this.#bytes.slice(0, this.#control[LENGTH]));
    const last = this.#control[LAST] === 1;
    Atomics.store(this.#control, STATE, EMPTY);
    Atomics.notify(this.#control, STATE);
    return last ? decodeEvent(this.#joinPartial()) : undefined;
  }

  #joinPartial(): Uint8Array<ArrayBuffer> {
    const parts = this.#partial;
    this.#partial = [];
    const whole = new Uint8Array(totalSize(parts));
    let offset = 0;
    for (const part of parts) {
      whole.set(part, offset);
      offset += part.byteLength;
    }
    return whole;
  }
}
