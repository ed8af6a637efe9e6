/** Characters of a text, or bytes, that are copied in one go: some milliseconds. What is longer is large. */
export const PIECE = 2 ** 21;

/** What may be large in a message. */
export type Content = string | Uint8Array<ArrayBuffer>;

export function isLarge(content: unknown): content is Content {
  return (typeof content === "string" || content instanceof Uint8Array) && content.length > PIECE;
}
