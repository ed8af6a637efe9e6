import { shorten } from "../protocol/index.js";

/** At most so many characters of a text, the mark of what was cut off included. No character is cut in two. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : shorten(text, length - 1);
}
