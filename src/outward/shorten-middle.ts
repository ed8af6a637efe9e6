/** A text of at most so many characters: of a longer one its beginning, a mark and its end, with no character cut in two. */
export function shortenMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const head = isPair(text, half) ? half - 1 : half;
  const end = text.length - (maxLength - half);
  const tail = isPair(text, end) ? end + 1 : end;
  return `${text.slice(0, Math.max(0, head))}…${String(tail - head)} chars truncated…${text.slice(tail)}`;
}

/** Whether the character before an index and the one at it are halves of one. */
function isPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const at = text.charCodeAt(index);
  return before >= 0xd800 && before < 0xdc00 && at >= 0xdc00 && at < 0xe000;
}
