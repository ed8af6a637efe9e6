import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";

/** What is measured on pages/tools.ts. */
export interface ToolsComparison {
  readonly subject:
    | "openWith"
    | "search"
    | "check"
    | "checkAmongMany"
    | "moduleCalls"
    | "patch"
    | "grep"
    | "firstGrep"
    | "grepStretch";
  /** Milliseconds, or what the same page measures beside it. */
  readonly baseline: number | "openWithout" | "toolCalls";
  readonly claim: Claim;
}

export const toolsComparisons: readonly ToolsComparison[] = [
  {
    subject: "openWith",
    baseline: "openWithout",
    claim: {
      name: "open with 10,000 tools / with none, sandboxed, no spare",
      subject: "Session.open with 10,000 tools",
      baseline: "Session.open without tools",
      goal: 1.05,
    },
  },
  {
    subject: "moduleCalls",
    baseline: "toolCalls",
    claim: {
      name: "call by codex_tools / call by tools, sandboxed",
      subject: "200 calls by codex_tools",
      baseline: "200 calls by tools",
      goal: 1.1,
    },
  },
  within(5, "search", "tools.search over 10,000 tools, median of six queries"),
  within(10, "check", "check of code before it runs, ten tools, median of six pieces of code"),
  within(10, "checkAmongMany", "check of code before it runs, 10,000 tools, median of six pieces of code"),
  within(100, "patch", "apply_patch of 50 hunks over 20 files, median of five"),
  within(300, "grep", "grep_files over 1,000 files of 10 MB, after a first search, median of five"),
  within(300, "firstGrep", "grep_files over 1,000 files of 10 MB, first search of a session"),
  within(
    100,
    "grepStretch",
    "longest stretch of the page's thread, grep_files over 1,000 files of 10 MB, first search and later",
  ),
];

function within(limit: number, subject: ToolsComparison["subject"], what: string): ToolsComparison {
  const shown = `${String(limit)} ms`;
  return { subject, baseline: limit, claim: { name: `${what} / ${shown}`, subject: what, baseline: shown, goal: 1 } };
}

export function toolsComparison(page: BenchPage, { subject, baseline, claim }: ToolsComparison): Comparison<"time"> {
  const ask = async (question: string): Promise<{ time: number }> => ({
    time: z.number().parse(await page.ask(callOf(`tools.${question}`))),
  });
  return {
    claims: { time: claim },
    subject: () => ask(subject),
    baseline: () => (typeof baseline === "string" ? ask(baseline) : Promise.resolve({ time: baseline })),
  };
}
