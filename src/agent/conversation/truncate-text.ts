/** Bytes of an observation's text that a model is shown, and of an answer's text. */
export const MAX_OBSERVATION_SIZE = 10_000;

/** Cuts text to `limit` bytes of UTF-8, at the end of a character, with a mark that says so. */
export function truncateText(text: string, limit = MAX_OBSERVATION_SIZE): string {
  // One unit of a string takes three bytes at most.
  if (text.length * 3 <= limit) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit));
  return read === text.length ? text : `${text.slice(0, read)}\n[OUTPUT TRUNCATED]`;
}
