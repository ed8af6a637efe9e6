import { PIECE, type Content } from "./large-contents.js";
import { Slices } from "./slices.js";
import { textPieces } from "./text-bytes.js";

// Held: in the worker session code may take it away.
const PlainBlob = Blob;

/** Units of a text that are made into one in one go: a call has a limit of its arguments. */
const UNITS = 2 ** 13;

/** How a blob holds a content. `units`: a text of UTF-16 in which half a character has no other half, which UTF-8 cannot hold. */
export type ContentForm = "bytes" | "text" | "units";

/** A large content as a browser hands it over by reference. */
export interface BlobContent {
  readonly form: ContentForm;
  readonly blob: Blob;
}

/**
 * Large content as a blob of pieces, in one go: for a worker.
 *
 * @param onPiece - Told of each piece's size, in bytes or characters.
 */
export function toBlob(content: Content, onPiece: (size: number) => void): BlobContent {
  const pieces = Array.from(piecesOf(content), (piece) => {
    const blob = new PlainBlob([piece]);
    onPiece(piece.length);
    return blob;
  });
  return { form: formOf(content), blob: new PlainBlob(pieces) };
}

/**
 * A blob of content that is large or not, made in slices between which the page goes on. The content must not change meanwhile,
 * and half a character of a text becomes another one.
 */
export async function toBlobInSlices(content: Content, slices = new Slices()): Promise<Blob> {
  const pieces: Blob[] = [];
  for (const piece of typeof content === "string" ? textPieces(content, PIECE) : slicesOf(content)) {
    pieces.push(new PlainBlob([piece]));
    await slices.rest();
  }
  return new PlainBlob(pieces);
}

/**
 * Reads what {@link toBlob} made, piece by piece.
 * @throws {DOMException} when it cannot be read any more.
 */
export async function fromBlob({ form, blob }: BlobContent, signal?: AbortSignal): Promise<Content> {
  if (form !== "units") return await (form === "bytes" ? bytesOf(blob, signal) : textOf(blob, signal));
  let text = "";
  for await (const piece of readPieces(blob, signal)) text += textOfUnits(piece);
  return text;
}

/** Reads a blob of UTF-8 piece by piece. @throws {DOMException} when it cannot be read any more. */
export async function textOf(blob: Blob, signal?: AbortSignal): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for await (const piece of readPieces(blob, signal)) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** Reads a blob piece by piece. @throws {DOMException} when it cannot be read any more. */
export async function bytesOf(blob: Blob, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(blob.size);
  let at = 0;
  for await (const piece of readPieces(blob, signal)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function* readPieces(blob: Blob, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < blob.size; at += PIECE) {
    signal?.throwIfAborted();
    yield new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer());
  }
}

function formOf(content: Content): ContentForm {
  if (typeof content !== "string") return "bytes";
  return isWellFormed(content) ? "text" : "units";
}

/** Piece by piece: of a text of a hundred million characters Firefox's pattern is too much recursion. */
function isWellFormed(text: string): boolean {
  for (const piece of textPieces(text, PIECE)) if (/\p{Surrogate}/u.test(piece)) return false;
  return true;
}

function piecesOf(content: Content): Iterable<string | Uint8Array<ArrayBuffer>> {
  if (typeof content !== "string") return slicesOf(content);
  return isWellFormed(content) ? textPieces(content, PIECE) : slicesOf(unitsOf(content));
}

function* slicesOf(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function unitsOf(text: string): Uint8Array<ArrayBuffer> {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return new Uint8Array(units.buffer);
}

function textOfUnits(bytes: Uint8Array<ArrayBuffer>): string {
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  let text = "";
  for (let at = 0; at < units.length; at += UNITS) text += String.fromCharCode(...units.subarray(at, at + UNITS));
  return text;
}
