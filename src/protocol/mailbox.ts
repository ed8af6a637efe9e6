import type { BridgeEvent } from "./messages.js";

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
const HEADER_BYTES = 16;

const EMPTY = 0;
const FULL = 1;

/** Bytes. Large enough that a usual answer is one chunk, small enough to have one per session. */
const DEFAULT_CAPACITY = 1 << 20;

/** The shared memory of one session. Only where the page is cross-origin isolated. */
export function createMailbox(capacity = DEFAULT_CAPACITY): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + capacity);
}

/** The page's end: never blocks. */
export class MailboxWriter {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #chunks: { bytes: Uint8Array; last: boolean }[] = [];
  #pumping = false;

  constructor(mailbox: SharedArrayBuffer) {
    this.#control = new Int32Array(mailbox, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(mailbox, HEADER_BYTES);
  }

  send(event: BridgeEvent): void {
    if (event.kind === "interrupt") {
      Atomics.store(this.#control, INTERRUPT, 1);
      Atomics.notify(this.#control, STATE);
      return;
    }
    const { text, buffers } = event.payload;
    const encodedText = new TextEncoder().encode(text);
    const header = { kind: event.kind, id: event.id, sizes: [encodedText, ...buffers].map((part) => part.byteLength) };
    const encodedHeader = new TextEncoder().encode(JSON.stringify(header));
    const headerSize = new Uint8Array(new Uint32Array([encodedHeader.byteLength]).buffer);
    this.#enqueue([headerSize, encodedHeader, encodedText, ...buffers]);
    void this.#pump();
  }

  #enqueue(parts: readonly Uint8Array[]): void {
    const capacity = this.#bytes.byteLength;
    let chunk = new Uint8Array(Math.min(capacity, totalSize(parts)));
    let filled = 0;
    let remaining = totalSize(parts);
    for (const part of parts) {
      for (let offset = 0; offset < part.byteLength;) {
        const taken = part.subarray(offset, offset + chunk.byteLength - filled);
        chunk.set(taken, filled);
        filled += taken.byteLength;
        offset += taken.byteLength;
        remaining -= taken.byteLength;
        if (filled < chunk.byteLength) continue;
        this.#chunks.push({ bytes: chunk, last: remaining === 0 });
        chunk = new Uint8Array(Math.min(capacity, remaining));
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
        if (chunk === undefined) return;
        if (Atomics.load(this.#control, STATE) === FULL) {
          await Atomics.waitAsync(this.#control, STATE, FULL).value;
          continue;
        }
        this.#chunks.shift();
        this.#bytes.set(chunk.bytes);
        this.#control[LENGTH] = chunk.bytes.byteLength;
        this.#control[LAST] = chunk.last ? 1 : 0;
        Atomics.store(this.#control, STATE, FULL);
        Atomics.notify(this.#control, STATE);
      }
    } finally {
      this.#pumping = false;
    }
  }
}

/** The worker's end: blocks its thread. */
export class MailboxReader {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  #partial: Uint8Array[] = [];

  constructor(mailbox: SharedArrayBuffer) {
    this.#control = new Int32Array(mailbox, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(mailbox, HEADER_BYTES);
  }

  /** Takes the request to interrupt, if there is one. */
  takeInterrupt(): boolean {
    return Atomics.exchange(this.#control, INTERRUPT, 0) === 1;
  }

  /** Blocks until a whole event is there; undefined once `until` (ms, `performance.now`) has passed or an interrupt is asked for. */
  read(until: number): BridgeEvent | undefined {
    for (;;) {
      const event = this.#take();
      if (event !== undefined) return event;
      if (Atomics.load(this.#control, INTERRUPT) === 1) return undefined;
      const remaining = until - performance.now();
      if (remaining <= 0) return undefined;
      Atomics.wait(this.#control, STATE, EMPTY, remaining);
    }
  }

  #take(): BridgeEvent | undefined {
    while (Atomics.load(this.#control, STATE) === FULL) {
      this.#partial.push(this.#bytes.slice(0, this.#control[LENGTH]));
      const last = this.#control[LAST] === 1;
      Atomics.store(this.#control, STATE, EMPTY);
      Atomics.notify(this.#control, STATE);
      if (last) return parseEvent(this.#joinPartial());
      // The next chunk of this event is on its way.
      Atomics.wait(this.#control, STATE, EMPTY);
    }
    return undefined;
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

function totalSize(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.byteLength, 0);
}

function parseEvent(bytes: Uint8Array<ArrayBuffer>): BridgeEvent {
  const headerSize = new DataView(bytes.buffer).getUint32(0, true);
  const decoder = new TextDecoder();
  const header = JSON.parse(decoder.decode(bytes.subarray(4, 4 + headerSize))) as {
    kind: "reply" | "failure" | "invoke";
    id: number;
    sizes: number[];
  };
  let offset = 4 + headerSize;
  const [text, ...buffers] = header.sizes.map((size) => bytes.subarray(offset, (offset += size)));
  return { kind: header.kind, id: header.id, payload: { text: decoder.decode(text), buffers } };
}
