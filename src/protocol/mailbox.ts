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

/** The page's end: never blocks. */
export class MailboxWriter {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #chunks: { bytes: Uint8Array; last: boolean }[] = [];
  #pumping = false;
  #closed = false;

  constructor(mailbox: SharedArrayBuffer) {
    this.#control = new Int32Array(mailbox, 0, HEADER_BYTES / 4);
    this.#bytes = new Uint8Array(mailbox, HEADER_BYTES);
  }

  send(event: BridgeEvent): void {
    if (this.#closed) return;
    if (event.kind === "interrupt") {
      Atomics.store(this.#control, INTERRUPT, 1);
      this.#wake();
      return;
    }
    const { text, buffers } = event.payload;
    const encodedText = new TextEncoder().encode(text);
    const sizes = [encodedText, ...buffers].map((part) => part.byteLength);
    const header: EventHeader = { kind: event.kind, id: event.id, runId: runIdOf(event), sizes };
    const encodedHeader = new TextEncoder().encode(JSON.stringify(header));
    const headerSize = new Uint8Array(new Uint32Array([encodedHeader.byteLength]).buffer);
    this.#enqueue([headerSize, encodedHeader, encodedText, ...buffers]);
    void this.#pump();
  }

  /** Lets go of what was not taken: the worker is gone. */
  close(): void {
    this.#closed = true;
    this.#chunks.length = 0;
    Atomics.notify(this.#control, STATE);
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
        if (chunk === undefined || this.#closed) return;
        if (Atomics.load(this.#control, STATE) === FULL) {
          await Atomics.waitAsync(this.#control, STATE, FULL).value;
          continue;
        }
        this.#chunks.shift();
        this.#bytes.set(chunk.bytes);
        this.#control[LENGTH] = chunk.bytes.byteLength;
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
      const sequence = Atomics.load(this.#control, SEQUENCE);
      const event = this.#takeChunk();
      if (event !== undefined) return event;
      if (Atomics.load(this.#control, INTERRUPT) === 1) return undefined;
      const remaining = until - performance.now();
      if (remaining <= 0) return undefined;
      Atomics.wait(this.#control, SEQUENCE, sequence, remaining);
    }
  }

  /** The event, if this chunk was its last. */
  #takeChunk(): BridgeEvent | undefined {
    if (Atomics.load(this.#control, STATE) !== FULL) return undefined;
    this.#partial.push(this.#bytes.slice(0, this.#control[LENGTH]));
    const last = this.#control[LAST] === 1;
    Atomics.store(this.#control, STATE, EMPTY);
    Atomics.notify(this.#control, STATE);
    return last ? parseEvent(this.#joinPartial()) : undefined;
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

interface EventHeader {
  readonly kind: Exclude<BridgeEvent["kind"], "interrupt">;
  readonly id: number;
  /** Of what is about a run as a whole; empty for answers. */
  readonly runId: string;
  readonly sizes: readonly number[];
}

function runIdOf(event: Exclude<BridgeEvent, { kind: "interrupt" }>): string {
  return "runId" in event ? event.runId : "";
}

function parseEvent(bytes: Uint8Array<ArrayBuffer>): BridgeEvent {
  const headerSize = new DataView(bytes.buffer).getUint32(0, true);
  const decoder = new TextDecoder();
  // Written by the page, which the worker trusts.
  const { kind, id, runId, sizes } = JSON.parse(decoder.decode(bytes.subarray(4, 4 + headerSize))) as EventHeader;
  let offset = 4 + headerSize;
  const [text, ...buffers] = sizes.map((size) => bytes.subarray(offset, (offset += size)));
  const payload = { text: decoder.decode(text), buffers };
  switch (kind) {
    case "invoke":
      return { kind, id, runId, payload };
    case "pause":
    case "resume":
      return { kind, id: 0, runId, payload };
    default:
      return { kind, id, payload };
  }
}
