import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";

/** What is measured on pages/tools.ts. */
export interface ManyToolsComparison {
  readonly what: "open" | "search";
  readonly claim: Claim;
}

/** Milliseconds that DESIGN.md gives a search. */
const SEARCH_LIMIT = 5;

export const manyToolsComparisons: readonly ManyToolsComparison[] = [
  {
    what: "open",
    claim: {
      name: "open with 10,000 tools / with none, sandboxed, no spare",
      subject: "Session.open with 10,000 tools",
      baseline: "Session.open without tools",
      goal: 1.05,
    },
  },
  {
    what: "search",
    claim: {
      name: "tools.search over 10,000 tools, median of six queries / 5 ms",
      subject: "session.tools.search",
      baseline: "5 ms",
      goal: 1,
    },
  },
];

export function manyToolsComparison({ what, claim }: ManyToolsComparison, page: BenchPage): Comparison<"time"> {
  const ask = async (question: string): Promise<{ time: number }> => ({
    time: z.number().parse(await page.ask(callOf(`tools.${question}`))),
  });
  return what === "open"
    ? { claims: { time: claim }, subject: () => ask("openWith"), baseline: () => ask("openWithout") }
    : {
        claims: { time: claim },
        subject: () => ask("search"),
        baseline: () => Promise.resolve({ time: SEARCH_LIMIT }),
      };
}
