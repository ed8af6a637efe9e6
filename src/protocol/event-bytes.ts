import { MalformedValueError } from "./errors.js";
import { parseJson } from "./json.js";
import type { BridgeEvent, SentEvent } from "./messages.js";
import { isRecord } from "./value.js";

/** An event that carries something; a request to interrupt is a mere signal. */
export type MailedEvent = Exclude<BridgeEvent, { kind: "interrupt" }>;

interface EventHeader {
  readonly kind: MailedEvent["kind"];
  readonly id: number;
  /** Of what is about a run as a whole; empty for answers. */
  readonly runId: string;
  readonly sizes: readonly number[];
}

/** The same before it is sent. */
export type UnsentEvent = Exclude<SentEvent, { kind: "interrupt" }>;

/** Bytes, or a blob of them. */
export type EventPart = Uint8Array<ArrayBuffer> | Blob;

/** An event as bytes (size of the header, header, text, buffers), in parts that are not copied. */
export function encodeEvent(event: UnsentEvent): EventPart[] {
  const { text, buffers } = event.payload;
  const encodedText = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const sizes = [encodedText, ...buffers].map(sizeOfPart);
  const runId = "runId" in event ? event.runId : "";
  const header: EventHeader = { kind: event.kind, id: event.id, runId, sizes };
  const encodedHeader = new TextEncoder().encode(JSON.stringify(header));
  const headerSize = new Uint8Array(4);
  new DataView(headerSize.buffer).setUint32(0, encodedHeader.byteLength, true);
  return [headerSize, encodedHeader, encodedText, ...buffers];
}

/** Reads what `encodeEvent` wrote. For bytes of the page, which the worker trusts; the buffers are views of them. */
export function decodeEvent(bytes: Uint8Array<ArrayBuffer>): MailedEvent {
  const headerSize = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const decoder = new TextDecoder();
  const header = parseJson(decoder.decode(bytes.subarray(4, 4 + headerSize)));
  if (!isHeader(header)) throw new MalformedValueError("an event has another header");
  const { kind, id, runId, sizes } = header;
  let offset = 4 + headerSize;
  const [text, ...buffers] = sizes.map((size) => bytes.subarray(offset, (offset += size)));
  const payload = { text: decoder.decode(text), buffers };
  switch (kind) {
    case "invoke":
      return { kind, id, runId, payload };
    case "pause":
    case "resume":
      return { kind, id: 0, runId, payload };
    case "reply":
    case "failure":
    case "part":
      return { kind, id, payload };
  }
}

function isHeader(header: unknown): header is EventHeader {
  return (
    isRecord(header) &&
    isKind(header.kind) &&
    typeof header.id === "number" &&
    typeof header.runId === "string" &&
    areSizes(header.sizes)
  );
}

const KINDS: ReadonlySet<unknown> = new Set<MailedEvent["kind"]>([
  "invoke",
  "pause",
  "resume",
  "reply",
  "failure",
  "part",
]);

function isKind(kind: unknown): kind is MailedEvent["kind"] {
  return KINDS.has(kind);
}

export function areSizes(sizes: unknown): sizes is readonly number[] {
  return Array.isArray(sizes) && sizes.every((size) => typeof size === "number");
}

export function totalSize(parts: readonly EventPart[]): number {
  return parts.reduce((sum, part) => sum + sizeOfPart(part), 0);
}

export function sizeOfPart(part: EventPart): number {
  return part instanceof Blob ? part.size : part.byteLength;
}
