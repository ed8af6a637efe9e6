import { differenceHunks, lineDifference, type DifferenceLine } from "../../../difference/index.js";

/** What became of a file. */
export interface DiffFile {
  readonly path: string;
  /** Null where there was none. */
  readonly before: string | null;
  /** Null where there is none any more. */
  readonly after: string | null;
  /** What it holds is no text: that it has changed is all there is to say, and the texts may be empty. */
  readonly isBinary?: boolean;
}

export type DiffChange = "added" | "deleted" | "changed";

/** A line of a hunk, with its number in each of the texts that have it. */
export interface NumberedLine extends DifferenceLine {
  readonly before: number | null;
  readonly after: number | null;
}

/** Lines that differ, with some around them. */
export interface DiffHunk {
  /** As `diff -u` writes it: `@@ -1,4 +1,5 @@`. */
  readonly range: string;
  /** Equal lines between it and what comes before. */
  readonly skipped: number;
  readonly lines: readonly NumberedLine[];
}

export type FileDifference =
  | {
      readonly kind: "lines";
      readonly hunks: readonly DiffHunk[];
      readonly added: number;
      readonly removed: number;
      /** What the lines do not show. */
      readonly note: string;
    }
  /** There is nothing to show, and why. */
  | { readonly kind: "words"; readonly words: string };

/** Characters and lines of both texts together that are compared: beyond that the page would be held up. */
const MOST_COMPARED = 4_000_000;
const MOST_LINES = 50_000;

export function changeOf({ before, after }: DiffFile): DiffChange {
  if (before === null) return "added";
  return after === null ? "deleted" : "changed";
}

/** What is different in a file, in time that is bounded. */
export function fileDifference({ before, after, isBinary = false }: DiffFile): FileDifference {
  if (isBinary) return words("Binary: not shown as text.");
  if (before === after) return words("Nothing is different.");
  const old = before ?? "";
  const young = after ?? "";
  if (isTooLong(old, young)) return words("Too large to be compared here.");
  if (old === "" && young === "") return words("An empty file.");
  const lines = lineDifference(old, young);
  const added = lines.filter(({ kind }) => kind === "added").length;
  const removed = lines.filter(({ kind }) => kind === "removed").length;
  if (added + removed === 0) return words("Only ends of lines are different.");
  const both = before !== null && after !== null;
  return { kind: "lines", hunks: hunksOf(lines), added, removed, note: both ? noteOn(old, young) : "" };
}

/** Whether two texts are too large for the page to compare. */
export function isTooLong(old: string, young: string): boolean {
  return old.length + young.length > MOST_COMPARED || countEnds(old) + countEnds(young) > MOST_LINES;
}

/** Of lines, each kind of end counted for itself. */
function countEnds(text: string): number {
  let count = 0;
  for (const end of ["\n", "\r"]) for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) count += 1;
  return count;
}

function words(text: string): FileDifference {
  return { kind: "words", words: text };
}

function hunksOf(lines: readonly DifferenceLine[]): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let end = 0;
  let before = 0;
  let after = 0;
  for (const { from, to } of differenceHunks(lines)) {
    const skipped = from - end;
    // Between hunks, all lines are the same.
    before += skipped;
    after += skipped;
    const first = { before, after };
    const numbered = lines.slice(from, to).map(({ kind, text }) => ({
      kind,
      text,
      before: kind === "added" ? null : (before += 1),
      after: kind === "removed" ? null : (after += 1),
    }));
    const range = `@@ -${rangeOf(first.before, before)} +${rangeOf(first.after, after)} @@`;
    hunks.push({ range, skipped, lines: numbered });
    end = to;
  }
  return hunks;
}

/** An empty range is named by the line before it. */
function rangeOf(from: number, to: number): string {
  return `${String(from === to ? from : from + 1)},${String(to - from)}`;
}

function noteOn(before: string, after: string): string {
  const notes: string[] = [];
  if (before.includes("\r\n") !== after.includes("\r\n")) notes.push("The ends of lines are of another kind.");
  if (before.endsWith("\n") && !after.endsWith("\n")) notes.push("The last line has no end any more.");
  if (!before.endsWith("\n") && after.endsWith("\n")) notes.push("The last line has an end now.");
  return notes.join(" ");
}
