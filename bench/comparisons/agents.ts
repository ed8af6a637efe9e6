import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";
import type { Json } from "../../test/engines/drivers/index.js";

/** What is measured on pages/agents.ts against a fixed limit. */
export interface AgentComparison {
  readonly question: "step" | "save" | "draw" | "scroll";
  readonly args: readonly Json[];
  /** Milliseconds. */
  readonly limit: number;
  readonly claim: Claim;
}

export const agentComparisons: readonly AgentComparison[] = [
  within(5, "what the loop adds to a step, median of 40 steps", "step", "not saved"),
  within(5, "what the loop adds to a step of a task that is saved, median of 40 steps", "step", "saved"),
  within(50, "longest stretch of the page's thread, a task of 500 steps is saved, read back and exported", "save"),
  within(50, "longest stretch of the page's thread, a task of 500 steps is opened in the transcript", "draw"),
  within(50, "longest stretch of the page's thread, a transcript of 500 steps is scrolled through", "scroll"),
];

function within(
  limit: number,
  what: string,
  question: AgentComparison["question"],
  ...args: readonly Json[]
): AgentComparison {
  const baseline = `${String(limit)} ms`;
  return { question, args, limit, claim: { name: `${what} / ${baseline}`, subject: what, baseline, goal: 1 } };
}

export function agentComparison(
  page: BenchPage,
  { question, args, limit, claim }: AgentComparison,
): Comparison<"time"> {
  const isDrawn = question === "draw" || question === "scroll";
  let isPrepared = false;
  return {
    claims: { time: claim },
    subject: async () => {
      if (isDrawn) {
        if (!isPrepared) await page.ask("agents.prepare().then(() => null)");
        isPrepared = true;
        // A page of its own each time: the transcript before it would be collected as garbage while the next is drawn.
        await page.close();
      }
      return { time: z.number().parse(await page.ask(callOf(`agents.${question}`, ...args))) };
    },
    baseline: () => Promise.resolve({ time: limit }),
  };
}
