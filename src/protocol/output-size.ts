import type { OutputChunk } from "./messages.js";
import { textSize } from "./text-bytes.js";

/** Bytes that the smallest piece of output counts: a message costs the page something, however little is in it. */
const SMALLEST = 256;

/** Bytes of a piece of output, as the limit of a run counts them. */
export function outputSize(chunk: OutputChunk): number {
  if (chunk.kind === "signal") return Math.max(SMALLEST, byteSize(chunk.message));
  if (chunk.kind !== "display") return Math.max(SMALLEST, byteSize(chunk.text));
  return Math.max(
    SMALLEST,
    Object.values(chunk.data).reduce((sum, data) => sum + byteSize(data), 0),
  );
}

function byteSize(data: string | Uint8Array): number {
  return typeof data === "string" ? textSize(data) : data.byteLength;
}
