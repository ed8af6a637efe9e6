import { Slices } from "./slices.js";

/** Characters that are written as bytes in one go: a fraction of a millisecond. */
const PIECE = 65_536;
/** UTF-8 has no more bytes for one unit of UTF-16. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();
let scratch: Uint8Array<ArrayBuffer> | undefined;

/** Bytes of a text in UTF-8. They are counted in one small buffer: to make them all takes ten times as long. */
export function textSize(text: string): number {
  let size = 0;
  for (const piece of textPieces(text, PIECE)) size += sizeOf(piece);
  return size;
}

/** A text of any size in UTF-8. A large one is written in slices, between which the page goes on. */
export async function encodeTextInSlices(text: string): Promise<Uint8Array<ArrayBuffer>> {
  if (text.length <= PIECE) return encoder.encode(text);
  const slices = new Slices();
  let size = 0;
  for (const piece of textPieces(text, PIECE)) {
    size += sizeOf(piece);
    await slices.rest();
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of textPieces(text, PIECE)) {
    at += encoder.encodeInto(piece, bytes.subarray(at)).written;
    await slices.rest();
  }
  return bytes;
}

/** Bytes that are decoded in one go: some milliseconds. */
const DECODED_AT_ONCE = 2 ** 20;

/**
 * The text of UTF-8 of any size, in slices between which the page goes on. What is no UTF-8 becomes U+FFFD; a byte order mark
 * stays.
 *
 * @param options - `fatal`: what is no UTF-8 is an error.
 * @throws {TypeError} for what is no UTF-8, where that is fatal.
 */
export async function decodeTextInSlices(
  bytes: Uint8Array,
  { fatal = false }: { readonly fatal?: boolean } = {},
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal, ignoreBOM: true });
  const slices = new Slices();
  let text = "";
  for (let at = 0; at < bytes.byteLength; at += DECODED_AT_ONCE) {
    text += decoder.decode(bytes.subarray(at, at + DECODED_AT_ONCE), { stream: true });
    await slices.rest();
  }
  return text + decoder.decode();
}

function sizeOf(piece: string): number {
  scratch ??= new Uint8Array(PIECE * MOST_BYTES);
  return encoder.encodeInto(piece, scratch).written;
}

/** A text in pieces of so many characters, of which none ends inside of one. */
export function* textPieces(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = at + length;
    const isHalf = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const next = isHalf ? end - 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}
