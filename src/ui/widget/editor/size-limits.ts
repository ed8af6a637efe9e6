import type { Text, Transaction } from "@codemirror/state";

import { formatCount } from "../../state/text/format.js";

/** Characters of all code, and of one of its lines, that are edited: an engine takes seconds to lay out a line of many more. */
const MOST = 200_000;
const LONGEST_LINE = 5000;

/** What is too much of it, to end a sentence; null where it can be edited. */
export function tooMuch(code: string): string | null {
  if (code.length > MOST) return formatCount(code.length, "character");
  for (let start = 0; start < code.length;) {
    const end = code.indexOf("\n", start);
    const length = (end < 0 ? code.length : end) - start;
    if (length > LONGEST_LINE) return lineOf(length);
    start += length + 1;
  }
  return null;
}

/** The same of what a change would make of the code. Looks only at lines that change. */
export function tooMuchAfter({ newDoc, changes }: Pick<Transaction, "newDoc" | "changes">): string | null {
  if (newDoc.length > MOST) return formatCount(newDoc.length, "character");
  let found: string | null = null;
  changes.iterChangedRanges((_fromBefore, _toBefore, from, to) => {
    found ??= longestLineOf(newDoc, from, to);
  });
  return found;
}

function longestLineOf(doc: Text, from: number, to: number): string | null {
  const last = doc.lineAt(to).number;
  for (let number = doc.lineAt(from).number; number <= last; number += 1) {
    const { length } = doc.line(number);
    if (length > LONGEST_LINE) return lineOf(length);
  }
  return null;
}

function lineOf(length: number): string {
  return `${formatCount(length, "character")} in one line`;
}
