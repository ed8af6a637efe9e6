import type { Counted, Outcome, Result, Unit } from "./comparison.js";

/** One line of the list that `--json` writes. Both sides are medians; of what is counted, the most of some visits. */
export interface JsonResult {
  readonly name: string;
  readonly browser: string;
  readonly subject: number;
  readonly baseline: number;
  readonly unit: Unit;
  /** Null where something is counted of which the baseline has nothing. */
  readonly ratio: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly goal: number | null;
  /** Of what is counted: the most that the subject may have, where anything asks for it. */
  readonly most?: number;
}

/** What was measured; what could not be tried has no numbers and is left to the table. */
export function jsonResults(outcomes: readonly Outcome[], browser: string): JsonResult[] {
  return outcomes.flatMap((outcome): JsonResult[] => {
    const { name, unit = "ms", goal } = outcome;
    if (outcome.kind === "measured") {
      const { subjectTime, baselineTime, ratio, low, high } = outcome;
      const sides = { subject: round(subjectTime), baseline: round(baselineTime) };
      return [{ name, browser, ...sides, unit, ratio: round(ratio), low: round(low), high: round(high), goal }];
    }
    if (outcome.kind !== "counted") return [];
    const { subjectMost: subject, baselineMost: baseline, most } = outcome;
    const ratio = countedRatio(outcome);
    const limit = most === null ? {} : { most };
    return [{ name, browser, subject, baseline, unit, ratio, low: ratio, high: ratio, goal, ...limit }];
  });
}

export const HEADINGS = ["name", "subject", "baseline", "ratio", "low", "high", "goal", ""] as const;

/** The cells of one line of the table. */
export function rowOf(outcome: Outcome): string[] {
  const goal = outcome.goal === null ? "–" : `≤ ${String(outcome.goal)}`;
  if (outcome.kind === "counted") return countedRow(outcome);
  if (outcome.kind !== "measured") {
    return [outcome.name, "–", "–", "–", "–", "–", goal, `${outcome.kind}: ${outcome.reason}`];
  }
  const { name, subjectTime, baselineTime, ratio, low, high, unit } = outcome;
  const figures = [ratio, low, high].map((figure) => figure.toPrecision(3));
  return [name, amount(subjectTime, unit), amount(baselineTime, unit), ...figures, goal, verdictText(outcome)];
}

/** A count has no interval: it is the most of some visits. Its goal is one for the subject itself. */
function countedRow(outcome: Counted): string[] {
  const { name, subjectMost, baselineMost, unit, most } = outcome;
  const ratio = countedRatio(outcome)?.toPrecision(3) ?? "–";
  const verdict = most === null ? "" : subjectMost <= most ? "met" : "not met";
  const goal = most === null ? "–" : `≤ ${amount(most, unit)}`;
  return [name, amount(subjectMost, unit), amount(baselineMost, unit), ratio, "–", "–", goal, verdict];
}

function countedRatio({ subjectMost, baselineMost }: Counted): number | null {
  return baselineMost === 0 ? null : round(subjectMost / baselineMost);
}

function verdictText({ verdict, goal, unit }: Result): string {
  if (verdict === "not resolved") return "not resolved";
  if (goal !== null) return verdict === "below" ? "met" : "not met";
  if (unit === "bytes") return verdict === "below" ? "smaller" : "larger";
  return verdict === "below" ? "faster" : "slower";
}

/** For the terminal. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** For docs/performance.md. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = headings.map((_, column) => (column === 0 ? ":--" : "--:"));
  return [line(headings), line(rule), ...rows.map(line)].join("\n");
}

/** Three digits, and the unit that keeps them short. */
export function milliseconds(time: number): string {
  const rounded = Number(time.toPrecision(3));
  if (rounded < 1) return `${(time * 1000).toPrecision(3)} µs`;
  return rounded < 1000 ? `${time.toPrecision(3)} ms` : `${(time / 1000).toPrecision(3)} s`;
}

/** What is measured in `unit`, with the unit. */
export function amount(value: number, unit: Unit = "ms"): string {
  if (unit === "ms") return milliseconds(value);
  if (unit === "count") return String(value);
  if (unit === "score") return value === 0 ? "0" : value.toPrecision(2);
  if (value < 1000) return `${String(Math.round(value))} B`;
  return value < 999_500 ? `${(value / 1000).toPrecision(3)} kB` : `${(value / 1e6).toPrecision(3)} MB`;
}

function round(number: number): number {
  return Number(number.toPrecision(4));
}
