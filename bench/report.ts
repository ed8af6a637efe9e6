import type { Outcome, Result } from "./comparison.js";

/** One line of the list that `--json` writes. Times are medians. */
export interface JsonResult {
  readonly name: string;
  readonly browser: string;
  readonly subject: number;
  readonly baseline: number;
  readonly unit: "ms";
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly goal: number | null;
}

/** What was measured; what could not be tried has no numbers and is left to the table. */
export function jsonResults(outcomes: readonly Outcome[], browser: string): JsonResult[] {
  return outcomes
    .filter((outcome) => outcome.kind === "measured")
    .map(({ name, subjectTime, baselineTime, ratio, low, high, goal }) => ({
      name,
      browser,
      subject: round(subjectTime),
      baseline: round(baselineTime),
      unit: "ms",
      ratio: round(ratio),
      low: round(low),
      high: round(high),
      goal,
    }));
}

export const HEADINGS = ["name", "subject", "baseline", "ratio", "low", "high", "goal", ""] as const;

/** The cells of one line of the table. */
export function rowOf(outcome: Outcome): string[] {
  const goal = outcome.goal === null ? "–" : `≤ ${String(outcome.goal)}`;
  if (outcome.kind !== "measured") {
    return [outcome.name, "–", "–", "–", "–", "–", goal, `${outcome.kind}: ${outcome.reason}`];
  }
  const { name, subjectTime, baselineTime, ratio, low, high } = outcome;
  const figures = [ratio, low, high].map((figure) => figure.toPrecision(3));
  return [name, milliseconds(subjectTime), milliseconds(baselineTime), ...figures, goal, verdictText(outcome)];
}

function verdictText({ verdict, goal }: Result): string {
  if (verdict === "not resolved") return "not resolved";
  if (goal === null) return verdict === "below" ? "faster" : "slower";
  return verdict === "below" ? "met" : "not met";
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

function round(number: number): number {
  return Number(number.toPrecision(4));
}
