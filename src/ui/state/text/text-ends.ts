import { formatCount } from "./format.js";
import { isSetFromRight } from "./turns-of-direction.js";

/** Characters of a text that are drawn where its place says nothing else. */
export const MOST_DRAWN = 120_000;

/** What the end of a line counts for beside one character: its layout takes an engine about as long as that of so many. */
const LINE = 20;

/** Letters that engines find no glyph for in their first font, or join, or set in the other direction. */
const OTHER = 8;

/** The same of scripts whose letters stand for themselves, but are many. */
const LARGE = 4;

/** What each of those letters counts for besides where it comes first: its glyph is looked for in many fonts. */
const FIRST = 200;

/** What a turn of the direction counts for: engines compare each with all others of the text. */
const TURN = 40;

/** Characters of a line that has such letters: an engine looks through all of a line for each of them. */
const LONGEST_LINE = 1000;

/** Those letters, roughly: a line with one of them is broken where it is long. */
const COMPLEX =
  /[\u0300-\u036F\u0530-\u1FFF\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2C00-\u2E7F\uA4D0-\uABFF\uFB00-\uFEFF]/;

/** The beginning of a text, as much as is drawn in one go: so many characters, or fewer where they take long. */
export function beginningOf(text: string, most: number): string {
  const costOf = costs();
  let left = most;
  for (let end = 0; end < text.length; end++) {
    left -= costOf(text.charCodeAt(end));
    if (left < 0) return text.slice(0, isInPair(text, end) ? end - 1 : end);
  }
  return text;
}

/** The same of its end. */
export function endOf(text: string, most: number): string {
  const costOf = costs();
  let left = most;
  for (let begin = text.length; begin > 0; begin--) {
    left -= costOf(text.charCodeAt(begin - 1));
    if (left < 0) return text.slice(isInPair(text, begin) ? begin + 1 : begin);
  }
  return text;
}

/** The beginning, and below it how much more there is. */
export function cutText(text: string, most: number = MOST_DRAWN): string {
  const shown = beginningOf(text, most);
  const hidden = text.length - shown.length;
  return hidden === 0 ? broken(text) : `${broken(shown)}\n… ${formatCount(hidden, "more character")} not shown`;
}

/** The beginning and the end, and between them how much more there is. */
export function withoutMiddle(text: string, most: number): string {
  if (beginningOf(text, 2 * most).length === text.length) return broken(text);
  const [beginning, end] = [beginningOf(text, most), endOf(text, most)];
  const hidden = text.length - beginning.length - end.length;
  if (hidden <= 0) return broken(text);
  return `${broken(beginning)}\n… ${formatCount(hidden, "character")} not shown …\n${broken(end)}`;
}

/** With its longest lines broken where an engine would need long for them. */
export function broken(text: string): string {
  if (!COMPLEX.test(text)) return text;
  return text.replaceAll(new RegExp(`[^\\n]{${String(LONGEST_LINE)}}(?=[^\\n])`, "gu"), "$&\n");
}

/** What a text counts for, in characters. */
export function drawingCost(text: string): number {
  const costOf = costs();
  let cost = 0;
  for (let at = 0; at < text.length; at++) cost += costOf(text.charCodeAt(at));
  return cost;
}

/** What each character counts for, told one after the other. */
function costs(): (code: number) => number {
  const seen = new Set<number>();
  let isFromRight = false;
  return (code) => {
    const cost = letterCost(code);
    if (cost !== OTHER) {
      // Blanks and signs have the direction of what is around them.
      if (code > 0x40 || (code >= 0x30 && code < 0x3a)) isFromRight = false;
      return cost;
    }
    const first = seen.has(code) ? 0 : FIRST;
    seen.add(code);
    const turn = !isFromRight && isSetFromRight(code) ? TURN : 0;
    isFromRight = isSetFromRight(code);
    return cost + first + turn;
  };
}

function letterCost(code: number): number {
  if (code === 0x0a) return 1 + LINE;
  if (code < 0x300) return 1;
  // Greek and Cyrillic, then punctuation, arrows and lines of boxes.
  if (code >= 0x370 && code < 0x530) return 2;
  if (code >= 0x2000 && code < 0x2c00) return isSetFromRight(code) ? OTHER : 2;
  return (code >= 0x2e80 && code < 0xa4d0) || (code >= 0xac00 && code < 0xfb00) ? LARGE : OTHER;
}

/** Whether a text has letters or marks that are joined with others, or may be. */
export function isJoined(text: string): boolean {
  return COMPLEX.test(text);
}

/** Whether a place in a text is inside of a character of two parts. */
function isInPair(text: string, at: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
}
