import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";

/** What is measured on pages/tools.ts. */
export interface ToolsComparison {
  readonly subject: "openWith" | "search" | "check" | "checkAmongMany" | "patch";
  /** Milliseconds; null where the baseline is opening without tools. */
  readonly limit: number | null;
  readonly claim: Claim;
}

export const toolsComparisons: readonly ToolsComparison[] = [
  {
    subject: "openWith",
    limit: null,
    claim: {
      name: "open with 10,000 tools / with none, sandboxed, no spare",
      subject: "Session.open with 10,000 tools",
      baseline: "Session.open without tools",
      goal: 1.05,
    },
  },
  within(5, "search", "tools.search over 10,000 tools, median of six queries"),
  within(10, "check", "check of code before it runs, ten tools, median of six pieces of code"),
  within(10, "checkAmongMany", "check of code before it runs, 10,000 tools, median of six pieces of code"),
  within(100, "patch", "apply_patch of 50 hunks over 20 files, median of five"),
];

function within(limit: number, subject: ToolsComparison["subject"], what: string): ToolsComparison {
  const baseline = `${String(limit)} ms`;
  return { subject, limit, claim: { name: `${what} / ${baseline}`, subject: what, baseline, goal: 1 } };
}

export function toolsComparison(page: BenchPage, { subject, limit, claim }: ToolsComparison): Comparison<"time"> {
  const ask = async (question: string): Promise<{ time: number }> => ({
    time: z.number().parse(await page.ask(callOf(`tools.${question}`))),
  });
  return {
    claims: { time: claim },
    subject: () => ask(subject),
    baseline: () => (limit === null ? ask("openWithout") : Promise.resolve({ time: limit })),
  };
}
