/** Characters of a text, or bytes, that are copied in one go: some milliseconds. A message with more is large. */
export const PIECE = 2 ** 21;

/** Of a large message what is longer leaves it. */
export const SMALL = 2 ** 16;

/** What may be large in a message. */
export type Content = string | Uint8Array<ArrayBuffer>;

/** Whether a message, or something for one, is much for one go. */
export function isLarge(value: unknown): boolean {
  return sizeOf(value, PIECE) > PIECE;
}

/** Characters and bytes of all contents; no more of them are counted than `most`. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length;
  let size = 0;
  for (const part of partsOf(value)) {
    size += sizeOf(part, most - size);
    if (size > most) break;
  }
  return size;
}

/** What a plain container holds, and nothing of another object. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isPlain(value) ? Object.values(value) : [];
}

export function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
