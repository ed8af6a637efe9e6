import type { Opened } from "./comparisons/opening.js";
import { markdownTable, milliseconds } from "./report.js";
import { median } from "./statistics.js";

/** Milliseconds by the name of the step, in the order in which the steps happen. */
export type Steps = ReadonlyMap<string, number>;

/** The median of each moment over some visits, in the order of time. */
export function openingMoments(visits: readonly Opened[]): Steps {
  const names = Object.keys(visits[0]?.stages ?? {});
  const moments = names.map((name) => [name, median(visits.map(({ stages }) => stages[name] ?? NaN))] as const);
  return new Map(moments.sort(([, a], [, b]) => a - b));
}

/** One column for each breakdown. */
export function stepsTable(heading: string, columns: ReadonlyMap<string, Steps>): string {
  const names = new Set([...columns.values()].flatMap((steps) => [...steps.keys()]));
  const rows = Array.from(names, (name) => [name, ...Array.from(columns.values(), (steps) => cell(steps.get(name)))]);
  return markdownTable([heading, ...columns.keys()], rows);
}

function cell(time: number | undefined): string {
  return time === undefined ? "–" : milliseconds(time);
}
