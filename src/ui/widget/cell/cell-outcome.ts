import { isAsExpected } from "../../../cell-text/index.js";
import type { CellOutcome } from "../cell-runtime.js";

import { expectedOf, readMarkup } from "./cell-markup.js";
import type { Comparison } from "./outcome-words.js";

/** The author's result against a run's, where the cell is to be held to it. An error says enough by itself. */
export function compare(cell: Element, outcome: CellOutcome): Comparison {
  const expected = cell.hasAttribute("expected") ? expectedOf(readMarkup(cell).outputs) : null;
  if (expected === null || outcome.result.error !== null) return "none";
  return isAsExpected(expected, outcome.text) ? "same" : "different";
}

/** What the editor marks. */
export function faultOf({ result: { error }, faultLine }: CellOutcome): { line: number; message: string } | null {
  if (error === null || faultLine === null) return null;
  return { line: faultLine, message: `${error.pythonType}: ${error.message}` };
}
