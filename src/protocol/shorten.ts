/** Cuts text to `length` characters, with a mark after them that says so. No character is cut in two. */
export function shorten(text: string, length: number, mark = "…"): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`;
}
