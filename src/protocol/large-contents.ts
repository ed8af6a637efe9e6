/** Characters of a text, or bytes, that are copied in one go where the page may go on in between: a millisecond or two. */
export const PIECE = 2 ** 21;

/** Those of a message that are copied in one go: some milliseconds. One with more is large. */
const WHOLE = 6 * PIECE;

/** Of a large message what is longer leaves it. */
export const SMALL = 2 ** 16;

/** What may be large in a message. */
export type Content = string | Uint8Array<ArrayBuffer>;

/** Whether a message, or something for one, is much for one go. */
export function isLarge(value: unknown): boolean {
  return sizeOf(value, WHOLE) > WHOLE;
}

/** How many of these, from the first, are not much for one go. At least one. */
export function countForOneGo(values: readonly unknown[]): number {
  let size = 0;
  const end = values.findIndex((value, index) => {
    size += sizeOf(value, WHOLE);
    return size > WHOLE && index > 0;
  });
  return end === -1 ? values.length : end;
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
