import { Slices } from "../protocol/index.js";
import { shownLine, type LineSpan } from "./text-lines.js";

/** Which lines around one belong to its block. */
export interface BlockOptions {
  readonly anchor_line: number;
  /** Levels of indentation around it; 0 for all. */
  readonly max_levels: number;
  readonly include_siblings: boolean;
  /** Comments above the first line of the block. */
  readonly include_header: boolean;
  readonly max_lines: number;
}

const SPACE = 32;
const TAB = 9;
const TAB_WIDTH = 4;
const COMMENT = /^\s*(?:#|\/\/|--)/;

/**
 * The lines of the block around a line, by their index: one above and one below in turn, as long as they are indented as
 * deep as the block is.
 */
export async function blockAround(
  bytes: Uint8Array,
  lines: readonly LineSpan[],
  { anchor_line, max_levels, include_siblings, include_header, max_lines }: BlockOptions,
): Promise<readonly number[]> {
  const indents = await indentsOf(bytes, lines);
  const anchor = anchor_line - 1;
  const least = max_levels <= 0 ? 0 : Math.max(0, (indents[anchor] ?? 0) - max_levels * TAB_WIDTH);
  const isIn = (index: number): boolean => (indents[index] ?? -1) >= least;
  const isEdge = (index: number): boolean => !include_siblings && indents[index] === least;
  let first = anchor;
  let last = anchor;
  let edgesAbove = 0;
  let edgesBelow = 0;
  let goesUp = true;
  let goesDown = true;
  const isFull = (): boolean => last - first + 1 >= max_lines;
  if (isFull()) return [anchor];
  const slices = new Slices();
  while ((goesUp || goesDown) && !isFull()) {
    if (goesUp) {
      const index = first - 1;
      const isHeader = (): boolean => include_header && COMMENT.test(shownLine(bytes, lines[index] ?? NONE));
      goesUp = isIn(index) && (!isEdge(index) || edgesAbove === 0 || isHeader());
      if (goesUp) {
        first = index;
        if (isEdge(index)) edgesAbove += 1;
      }
    }
    if (goesDown && !isFull()) {
      const index = last + 1;
      goesDown = isIn(index) && (!isEdge(index) || edgesBelow === 0);
      if (goesDown) {
        last = index;
        if (isEdge(index)) edgesBelow += 1;
      }
    }
    await slices.rest();
  }
  const isBlank = (index: number): boolean => isBlankLine(bytes, lines[index] ?? NONE);
  while (first <= last && isBlank(first)) first += 1;
  while (last > first && isBlank(last)) last -= 1;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const NONE: LineSpan = { start: 0, end: 0 };

/** Columns before the text of each line; a blank one has those of the line above. */
async function indentsOf(bytes: Uint8Array, lines: readonly LineSpan[]): Promise<Int32Array> {
  const indents = new Int32Array(lines.length);
  const slices = new Slices();
  let above = 0;
  for (const [index, line] of lines.entries()) {
    if (!isBlankLine(bytes, line)) above = indentOf(bytes, line);
    indents[index] = above;
    if (index % 1000 === 0) await slices.rest();
  }
  return indents;
}

function indentOf(bytes: Uint8Array, { start, end }: LineSpan): number {
  let columns = 0;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === TAB) columns += TAB_WIDTH;
    else if (bytes[at] === SPACE) columns += 1;
    else break;
  }
  return columns;
}

function isBlankLine(bytes: Uint8Array, { start, end }: LineSpan): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== SPACE && (byte < TAB || byte > 13)) return false;
  }
  return true;
}
