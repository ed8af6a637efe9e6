// Ways to cut a text. Each leaves a shorter one as it is.

/** The first `length` characters of a longer text, then a mark that says so. No character is cut in two. */
export function shorten(text: string, length: number, mark = "…"): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`;
}

/** The same with the mark among the `length` characters. */
export function shortenTo(text: string, length: number): string {
  return text.length <= length ? text : shorten(text, length - 1);
}

/** {@link shorten} by code units, of which a character outside the basic plane has two: it may be cut in two. */
export function shortenUnits(text: string, length: number, mark = "…"): string {
  return text.length <= length ? text : `${text.slice(0, length)}${mark}`;
}

/** {@link shortenTo} by code units. */
export function shortenUnitsTo(text: string, length: number): string {
  return text.length <= length ? text : shortenUnits(text, length - 1);
}

/** The first `bytes` of a longer text in UTF-8, up to the end of a character, then the mark of cut output. */
export function shortenBytes(text: string, bytes: number): string {
  // One unit of a string takes three bytes at most.
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return read === text.length ? text : `${text.slice(0, read)}\n[OUTPUT TRUNCATED]`;
}
