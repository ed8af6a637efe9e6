import { MalformedValueError } from "./errors.js";
import { areSizes, decodeEvent, encodeEvent, totalSize, type MailedEvent, type UnsentEvent } from "./event-bytes.js";
import { parseJson } from "./json.js";
import { isRecord } from "./value.js";

/**
 * The mail of the blob channel: a blob that the page makes, and a way to tell a
 * worker that hears nothing where it is.
 *
 * The worker holds a batch of blob URLs. It can ask of each whether it is still
 * there, and the page can revoke each: one bit. 128 of them spell the UUID in
 * the address of the mail, the last two are the sign that the spelling is
 * complete. A mail carries the next batch.
 */
const BITS = 128;

/**
 * URLs in a sign: what the page revokes at once while the worker may be reading
 * it. WebKitGTK 2.50 forgets a revocation that comes while the same URL is being
 * read, so the worker reads two in turn: one of them is not being read then.
 */
export const SIGN_SIZE = 2;

/** URLs in a batch. */
export const BATCH_SIZE = BITS + SIGN_SIZE;

/** What one mail says. */
export interface Mail<Event = MailedEvent> {
  /** Counts up; by it the worker says which mail it has read. */
  readonly number: number;
  readonly nextBatch: readonly string[];
  readonly events: readonly Event[];
}

interface MailHeader {
  readonly number: number;
  readonly nextBatch: readonly string[];
  readonly sizes: readonly number[];
}

export function encodeMail({ number, nextBatch, events }: Mail<UnsentEvent>): Blob {
  const encoded = events.map(encodeEvent);
  const header: MailHeader = { number, nextBatch, sizes: encoded.map(totalSize) };
  const encodedHeader = new TextEncoder().encode(JSON.stringify(header));
  const headerSize = new Uint8Array(4);
  new DataView(headerSize.buffer).setUint32(0, encodedHeader.byteLength, true);
  return new Blob([headerSize, encodedHeader, ...encoded.flat()]);
}

export function decodeMail(bytes: Uint8Array<ArrayBuffer>): Mail {
  const headerSize = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + headerSize));
  const header = parseJson(text);
  if (!isHeader(header)) throw new MalformedValueError("a mail has another header");
  const { number, nextBatch, sizes } = header;
  let offset = 4 + headerSize;
  const events = sizes.map((size) => decodeEvent(bytes.subarray(offset, (offset += size))));
  return { number, nextBatch, events };
}

function isHeader(header: unknown): header is MailHeader {
  return (
    isRecord(header) && typeof header.number === "number" && areAddresses(header.nextBatch) && areSizes(header.sizes)
  );
}

function areAddresses(batch: unknown): batch is readonly string[] {
  return Array.isArray(batch) && batch.every((address) => typeof address === "string");
}

/** The URLs of `batch` to revoke, in this order, so that they spell the address of a mail. */
export function spell(address: string, batch: readonly string[]): string[] {
  const digits = address.slice(address.lastIndexOf("/") + 1).replaceAll("-", "");
  const spelt = batch.filter((_url, bit) => {
    const digit = Number.parseInt(digits.charAt(bit >> 2), 16);
    return bit < BITS && ((digit >> (3 - (bit & 3))) & 1) === 1;
  });
  return [...spelt, ...readySign(batch)];
}

/** Reads an address. @param isRevoked - asks whether a URL of the batch is gone. */
export function readSpelling(batch: readonly string[], isRevoked: (url: string) => boolean): string {
  let digits = "";
  for (let bit = 0; bit < BITS; bit += 4) {
    const digit = batch.slice(bit, bit + 4).reduce((value, url) => value * 2 + (isRevoked(url) ? 1 : 0), 0);
    digits += digit.toString(16);
  }
  const [sign = ""] = readySign(batch);
  const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return sign.slice(0, sign.lastIndexOf("/") + 1) + uuid;
}

/** The URLs whose end says that the others spell an address. */
export function readySign(batch: readonly string[]): readonly string[] {
  if (batch.length !== BATCH_SIZE) throw new RangeError(`A batch has ${BATCH_SIZE} URLs, not ${batch.length}.`);
  return batch.slice(BITS);
}
