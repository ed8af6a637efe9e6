const BYTES_PER_TOKEN = 4;

/**
 * A text of at most so many tokens, four bytes each: of a longer one its beginning, a mark and its end, in whole
 * characters.
 */
export function cutMiddle(text: string, tokens: number): string {
  const budget = tokens * BYTES_PER_TOKEN;
  // No character of a text takes more than three bytes in it.
  if (text.length * 3 <= budget) return text;
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= budget) return text;
  const half = Math.floor(budget / 2);
  let head = half;
  while (head > 0 && isInside(bytes, head)) head -= 1;
  let tail = bytes.length - (budget - half);
  while (tail < bytes.length && isInside(bytes, tail)) tail += 1;
  const removed = Math.ceil((tail - head) / BYTES_PER_TOKEN);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const [begin, end] = [bytes.subarray(0, head), bytes.subarray(tail)].map((part) => decoder.decode(part));
  return `${begin ?? ""}…${String(removed)} tokens truncated…${end ?? ""}`;
}

/** Whether a byte goes on with a character. */
function isInside(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}
