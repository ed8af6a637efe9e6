import type { CellOutcome, CheckOutcome } from "../cell-runtime.js";
import { seconds } from "../shared/words.js";

/** Whether the author's result is held against the run's, and how that came out. */
export type Comparison = "none" | "same" | "different";

/** The end of a run. The output has the whole error, so that only its name is given here. */
export function wordsOfOutcome(outcome: CellOutcome, comparison: Comparison): string {
  const { result, faultLine, duration, checks } = outcome;
  if (result.error === null) {
    return [`Done in ${seconds(duration)}.`, wordsOfComparison(comparison), wordsOfChecks(checks)]
      .filter((sentence) => sentence !== "")
      .join(" ");
  }
  if (result.error.code === "RUN_INTERRUPTED") return `Stopped after ${seconds(duration)}.`;
  const place = faultLine === null ? "" : ` in line ${faultLine}`;
  return `Failed after ${seconds(duration)}: ${result.error.pythonType}${place}.`;
}

function wordsOfComparison(comparison: Comparison): string {
  if (comparison === "none") return "";
  return comparison === "same" ? "The result is as expected." : "The result differs from the expected one.";
}

function wordsOfChecks(checks: readonly CheckOutcome[]): string {
  if (checks.length === 0) return "";
  const passed = checks.filter(({ kind }) => kind === "passed").length;
  if (passed < checks.length) return `${passed} of ${checks.length} checks passed.`;
  return checks.length === 1 ? "The check passed." : `All ${checks.length} checks passed.`;
}
