import { ContentFault, type Position } from "./content-fault.js";
import type { Look } from "./look.js";

/**
 * Bytes as the characters that they stand for.
 *
 * @param encoding - another than UTF-8, where the content names it itself.
 * @throws {ContentFault} where they stand for none.
 */
export function decodeText(bytes: Uint8Array, encoding = "utf-8"): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new ContentFault("not_text", "it is encoded as UTF-16, and UTF-8 is wanted");
  }
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    throw new ContentFault("not_text", "it has bytes that are not UTF-8", positionOf(text, text.indexOf("\ufffd")));
  }
}

/**
 * The text without its byte order mark.
 *
 * @throws {ContentFault} for what no text has.
 */
export function checkCharacters(text: string, look: Look): string {
  const zero = text.indexOf("\0");
  if (zero !== -1) {
    throw new ContentFault("not_text", "it has a NUL character, as only binary files have", positionOf(text, zero));
  }
  if (text.trim() === "") look.odd("blank", "there is nothing in it but white space");
  if (!text.isWellFormed()) look.odd("unpaired_surrogate", "it has half of a character, which no file can hold");
  if (!text.startsWith("\ufeff")) return text;
  look.odd("byte_order_mark", "it begins with a byte order mark, which many programs read as part of the text");
  return text.slice(1);
}

/** Where an offset is. Empty for one outside of the text. */
export function positionOf(text: string, offset: number): Position {
  if (offset < 0 || offset > text.length) return {};
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < offset; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) lines += 1;
  return lines;
}
