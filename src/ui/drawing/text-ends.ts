import { shorten } from "../../protocol/index.js";
import { formatCount } from "../state/format.js";

/** What the end of a line counts for beside one character: its layout takes an engine about as long as that of so many. */
const LINE = 20;

/** Characters of a text that are drawn where its place says nothing else. */
export const MOST_DRAWN = 200_000;

/** What a text counts for, in characters. */
export function drawingCost(text: string): number {
  return text.length + LINE * (text.split("\n").length - 1);
}

/** The beginning of a text, as much as is drawn in one go: so many characters, or fewer where it has many lines. */
export function beginningOf(text: string, most: number): string {
  let end = 0;
  let left = most;
  while (end < text.length) {
    const line = text.indexOf("\n", end);
    const next = line < 0 ? text.length : line + 1;
    if (next - end > left) return shorten(text, end + left, "");
    left -= next - end + (line < 0 ? 0 : LINE);
    end = next;
    if (left <= 0) return text.slice(0, end);
  }
  return text;
}

/** The same of its end. */
export function endOf(text: string, most: number): string {
  let begin = text.length;
  let left = most;
  while (begin > 0) {
    const line = begin < 2 ? -1 : text.lastIndexOf("\n", begin - 2);
    const next = line + 1;
    if (begin - next > left) return text.slice(begin - left);
    left -= begin - next + (line < 0 ? 0 : LINE);
    begin = next;
    if (left <= 0) return text.slice(begin);
  }
  return text;
}

/** The beginning, and below it how much more there is. */
export function cutText(text: string, most: number = MOST_DRAWN): string {
  const shown = beginningOf(text, most);
  const hidden = text.length - shown.length;
  return hidden === 0 ? text : `${shown}\n… ${formatCount(hidden, "more character")} not shown`;
}

/** The beginning and the end, and between them how much more there is. */
export function withoutMiddle(text: string, most: number): string {
  if (beginningOf(text, 2 * most).length === text.length) return text;
  const [beginning, end] = [beginningOf(text, most), endOf(text, most)];
  const hidden = text.length - beginning.length - end.length;
  return hidden <= 0 ? text : `${beginning}\n… ${formatCount(hidden, "character")} not shown …\n${end}`;
}
