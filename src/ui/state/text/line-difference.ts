/** Two texts side by side, from shortly before the first line that differs. */
export interface LineDifference {
  /** Equal lines before those shown. */
  readonly skipped: number;
  readonly left: readonly ComparedLine[];
  readonly right: readonly ComparedLine[];
}

export interface ComparedLine {
  readonly text: string;
  readonly differs: boolean;
}

/** Equal lines that are shown before the first difference. */
const CONTEXT = 2;

/** Lines of each side that are shown. */
const SHOWN = 200;

/** Compares line by line, which takes long texts no longer than to split them; what follows an inserted line counts as different. */
export function compareLines(left: string, right: string): LineDifference {
  const lefts = left.split("\n");
  const rights = right.split("\n");
  const length = Math.max(lefts.length, rights.length);
  let equal = 0;
  while (equal < length && lefts[equal] === rights[equal]) equal += 1;
  const skipped = Math.max(0, equal - CONTEXT);
  const side = (lines: readonly string[], others: readonly string[]): ComparedLine[] =>
    lines.slice(skipped, skipped + SHOWN).map((text, index) => ({ text, differs: text !== others[skipped + index] }));
  return { skipped, left: side(lefts, rights), right: side(rights, lefts) };
}
