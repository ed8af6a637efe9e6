import type { Page } from "@playwright/test";

import type { Opening } from "./pages/bench-page.js";
import { markdownTable, milliseconds } from "./report.js";
import { median } from "./statistics.js";

/** Milliseconds by the name of the step, in the order in which the steps happen. */
export type Steps = ReadonlyMap<string, number>;

export async function callSteps(page: Page, transport: "shared-memory" | "jspi"): Promise<Steps> {
  const steps = await page.evaluate((kind) => {
    if (globalThis.calls === undefined) throw new Error("The page is not ready.");
    return globalThis.calls.breakdown(kind);
  }, transport);
  return new Map(Object.entries(steps));
}

/** The median of each stage over some visits. */
export function openingStages(visits: readonly Opening[]): Steps {
  const names = Object.keys(visits[0]?.stages ?? {});
  return new Map(names.map((name) => [name, median(visits.map(({ stages }) => stages[name] ?? NaN))]));
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
