import { z } from "zod";

import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";

type Figure = "ready" | "firstResult";

export interface SpareSet {
  /** A function of pages/spares.ts. */
  readonly what: "open" | "reset";
  readonly claims: Readonly<Record<Figure, Claim>>;
}

const Ready = z.object({ ready: z.number(), firstResult: z.number() });

const BARE = "bare loadPyodide in a worker";

export const spareSets: readonly SpareSet[] = [spareSet("open", "Session.open"), spareSet("reset", "session.reset()")];

function spareSet(what: SpareSet["what"], call: string): SpareSet {
  const subject = `${call}, sandboxed, spare ready`;
  return {
    what,
    claims: {
      ready: { name: `${what} with a spare, sandboxed / bare Pyodide`, subject, baseline: BARE, goal: 0.02 },
      firstResult: {
        name: `first result after ${what} with a spare, sandboxed / bare Pyodide`,
        subject: `${subject}, then 1 + 1`,
        baseline: `${BARE}, then 1 + 1`,
        goal: null,
      },
    },
  };
}

/** Both sides on one page that is open already. */
export function spareComparison({ what, claims }: SpareSet, page: BenchPage): Comparison<Figure> {
  return {
    claims,
    subject: async () => Ready.parse(await page.ask(callOf(`spares.${what}`))),
    baseline: async () => Ready.parse(await page.ask(callOf("spares.bare"))),
  };
}
