import { shorten } from "../protocol/index.js";

/** At most so many characters of a text, the mark of what was cut off included. No character is cut in two. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : shorten(text, length - 1);
}

/** How long a text is, and how long it may be. */
export function tooLong(text: string, most: number): string {
  return `${text.length.toLocaleString("en-US")} characters, and ${most.toLocaleString("en-US")} are read`;
}
