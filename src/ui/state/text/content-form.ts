import { jsonIn } from "../../../protocol/index.js";
import { parseCsv, tableOfRecords, type TextTable } from "./csv.js";

/** How bytes are drawn. Every form that could load or run something is drawn in a sealed frame. */
export type ContentForm =
  | { readonly kind: "svg"; readonly text: string }
  | { readonly kind: "html"; readonly text: string }
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "image"; readonly mime: string; readonly bytes: Uint8Array }
  | { readonly kind: "table"; readonly table: TextTable; readonly text: string }
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "python"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly size: number };

/** Rows of a table that are read for drawing. */
const MAX_ROWS = 1000;

/** Characters of text beyond which nothing is parsed. */
const MAX_PARSED = 2_000_000;

/** Bytes that are looked at. UTF-8 has at most three for what counts as one character: more hold more than is parsed. */
const MAX_BYTES = 3 * MAX_PARSED + 3;

/**
 * Tells from name and content what something is. An image is one by its bytes, whatever it is called. Of a text that is too
 * long to be parsed, the form holds the beginning.
 */
export function contentForm(name: string, bytes: Uint8Array): ContentForm {
  const mime = imageType(bytes);
  if (mime !== null) return { kind: "image", mime, bytes };
  const text = decode(bytes);
  if (text === null) return { kind: "binary", size: bytes.byteLength };
  return textForm(name, text);
}

function textForm(name: string, text: string): ContentForm {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (extension === "svg" || /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?<svg[\s>]/.test(text)) {
    return { kind: "svg", text };
  }
  if (extension === "html" || extension === "htm" || /^\s*<!doctype html/i.test(text)) return { kind: "html", text };
  if (extension === "md" || extension === "markdown") return { kind: "markdown", text };
  if (extension === "py") return { kind: "python", text };
  if (text.length > MAX_PARSED) return { kind: "text", text };
  if (extension === "csv" || extension === "tsv") {
    const table = parseCsv(text, MAX_ROWS);
    if (table !== null) return { kind: "table", table, text };
  }
  if (extension !== "txt") return jsonForm(text) ?? { kind: "text", text };
  return { kind: "text", text };
}

function jsonForm(text: string): ContentForm | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    const table = tableOfRecords(value, MAX_ROWS);
    return table === null ? { kind: "json", value, text } : { kind: "table", table, text };
  } catch {
    return null;
  }
}

/** The type of an image that every browser draws, by its first bytes. */
export function imageType(bytes: Uint8Array): string | null {
  const starts = (...head: number[]): boolean => head.every((byte, index) => bytes[index] === byte);
  const ascii = (at: number, word: string): boolean =>
    Array.from(word).every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a)) return "image/png";
  if (starts(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (ascii(0, "GIF8")) return "image/gif";
  if (ascii(0, "RIFF") && ascii(8, "WEBP")) return "image/webp";
  if (ascii(4, "ftypavif")) return "image/avif";
  return null;
}

/** The value of a JSON text that is drawn as a tree; the text itself where it is none, or too long. */
export function jsonOrText(text: string): unknown {
  if (text.length > MAX_PARSED) return text;
  const json = jsonIn(text);
  return json === undefined ? text : json;
}

function decode(bytes: Uint8Array): string | null {
  try {
    const isCut = bytes.byteLength > MAX_BYTES;
    const read = isCut ? bytes.subarray(0, MAX_BYTES) : bytes;
    // As of a stream, since the cut may be inside of a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(read, { stream: isCut });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
