/** Bytes that are decoded at once, and more where a line is longer. */
const DECODED_AT_ONCE = 4 * 2 ** 20;

const LINE_FEED = 10;

/** Whether a line of a text has a match; of what holds a zero byte, which is no text, none has. */
export function hasMatchingLine(bytes: Uint8Array, pattern: RegExp): boolean {
  if (bytes.includes(0)) return false;
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start + DECODED_AT_ONCE);
    const end = feed === -1 ? bytes.length : feed + 1;
    if (holds(new TextDecoder().decode(bytes.subarray(start, end)), pattern)) return true;
    start = end;
  }
  return false;
}

function holds(text: string, pattern: RegExp): boolean {
  const match = pattern.exec(text);
  if (match === null) return false;
  if (!match[0].includes("\n") && match.index < text.length) return true;
  // A match may reach over the end of a line, where a line alone has none; what ends with a line's end has no line behind it.
  return text
    .replace(/\n$/, "")
    .split("\n")
    .some((line) => pattern.test(line));
}
