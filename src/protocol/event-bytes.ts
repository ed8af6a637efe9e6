import { MalformedValueError } from "./errors.js";
import { parseJson } from "./json.js";
import type { BridgeEvent } from "./messages.js";
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

/** An event as bytes (size of the header, header, text, buffers), in parts that are not copied. */
export function encodeEvent(event: MailedEvent): Uint8Array<ArrayBuffer>[] {
  const { text, buffers } = event.payload;
  const encodedText = new TextEncoder().encode(text);
  const sizes = [encodedText, ...buffers].map((part) => part.byteLength);
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

const KINDS: ReadonlySet<unknown> = new Set<MailedEvent["kind"]>(["invoke", "pause", "resume", "reply", "failure"]);

function isKind(kind: unknown): kind is MailedEvent["kind"] {
  return KINDS.has(kind);
}

export function areSizes(sizes: unknown): sizes is readonly number[] {
  return Array.isArray(sizes) && sizes.every((size) => typeof size === "number");
}

export function totalSize(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.byteLength, 0);
}
