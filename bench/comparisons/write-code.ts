import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";
import type { WriteCodePage } from "../pages/bench-page.js";

/** What is measured on pages/write-code.ts against a fixed limit. */
export interface WriteCodeComparison {
  readonly question: keyof WriteCodePage;
  /** Milliseconds. */
  readonly limit: number;
  readonly claim: Claim;
}

export const writeCodeComparisons: readonly WriteCodeComparison[] = [
  within(50, "share", "what write_codebase_tool adds to a batch of five Python files, p50 of 20 batches"),
  within(50, "stretch", "longest stretch of the page's thread, three candidates of 2,000 lines streamed at once"),
];

function within(limit: number, question: WriteCodeComparison["question"], what: string): WriteCodeComparison {
  const baseline = `${String(limit)} ms`;
  return { question, limit, claim: { name: `${what} / ${baseline}`, subject: what, baseline, goal: 1 } };
}

export function writeCodeComparison(
  page: BenchPage,
  { question, limit, claim }: WriteCodeComparison,
): Comparison<"time"> {
  return {
    claims: { time: claim },
    subject: async () => ({ time: z.number().parse(await page.ask(callOf(`writeCode.${question}`))) }),
    baseline: () => Promise.resolve({ time: limit }),
  };
}
