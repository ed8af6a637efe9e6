import { z } from "zod";

import { processorTime } from "../../test/engines/processes.js";
import type { Claim, Comparison } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";
import type { Isolation } from "./calls.js";

/** What is measured on pages/interrupts.ts, and where. */
export interface InterruptComparison {
  readonly isolation: Isolation;
  readonly trust: "sandboxed" | "local";
  readonly what: "deadline" | "stop" | "sleep" | "loop";
  readonly claim: Claim;
  /** Milliseconds that the baseline stands for; null where it is measured too. */
  readonly limit: number | null;
}

/** Seconds of the sleep whose processor time is looked at. */
const SLEEP = 2;

/** Milliseconds that the tight loop takes about. */
const LOOP_TIME = 250;

export const interruptComparisons: readonly InterruptComparison[] = [
  ...at("plain", "sandboxed", "sealed frame"),
  ...at("isolated", "local", "page, shared memory"),
];

function at(isolation: Isolation, trust: InterruptComparison["trust"], place: string): InterruptComparison[] {
  const within = (what: "deadline" | "stop", limit: number, subject: string): InterruptComparison => ({
    isolation,
    trust,
    what,
    limit,
    claim: {
      name: `${what === "stop" ? "Stop" : what} on \`while True\`, ${place} / the limit of ${String(limit)} ms`,
      subject,
      baseline: `${String(limit)} ms`,
      goal: 1,
    },
  });
  return [
    within("deadline", 60, `time from the deadline to the result, ${place}`),
    within("stop", 150, `time from session.interrupt() to the result, ${place}`),
    {
      isolation,
      trust,
      what: "sleep",
      limit: SLEEP * 1000,
      claim: {
        name: `processor time of \`time.sleep\`, ${place} / the time slept`,
        subject: `processor time of all the browser's processes during time.sleep(${String(SLEEP)}), ${place}`,
        baseline: `${String(SLEEP * 1000)} ms`,
        goal: null,
      },
    },
    {
      isolation,
      trust,
      what: "loop",
      limit: null,
      claim: {
        name: `tight loop with deadline and Stop watched, ${place} / bare Pyodide`,
        subject: `the loop in session.run, ${place}`,
        baseline: "the loop in bare Pyodide's runPython",
        goal: 1.03,
      },
    },
  ];
}

/** A sample of the loop is one run of it; it is made as long as the samples of others. */
export async function interruptComparison(
  page: BenchPage,
  { what, trust, claim, limit }: InterruptComparison,
): Promise<Comparison<"time">> {
  const ask: Ask = async (name, ...args) => z.number().parse(await page.ask(callOf(`interrupts.${name}`, ...args)));
  if (limit !== null) {
    return {
      claims: { time: claim },
      subject: async () => ({ time: what === "sleep" ? await asleep(ask, trust) : await ask(what, trust) }),
      baseline: () => Promise.resolve({ time: limit }),
    };
  }
  const TRIAL = 200_000;
  // Twice, because the engine compiles the interpreter's loop anew while it runs.
  for (const place of [trust, "bare", trust, "bare"]) await ask("loop", place, TRIAL);
  const count = Math.ceil((TRIAL * LOOP_TIME) / (await ask("loop", "bare", TRIAL)));
  return {
    claims: { time: claim },
    subject: async () => ({ time: await ask("loop", trust, count) }),
    baseline: async () => ({ time: await ask("loop", "bare", count) }),
  };
}

type Ask = (name: string, ...args: readonly (string | number)[]) => Promise<number>;

/** Milliseconds of processor time. */
async function asleep(ask: Ask, trust: string): Promise<number> {
  // What opening the session and the sample before have left for later.
  await ask("sleep", trust, 1);
  const before = await processorTime();
  await ask("sleep", trust, SLEEP);
  return (await processorTime()) - before;
}
