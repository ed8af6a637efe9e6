import { z } from "zod";

import type { Claim, Comparison, Effort } from "../comparison.js";
import { callOf, type BenchPage } from "../engine-page.js";
import type { Operation } from "../pages/bench-page.js";

/** Which of the two pages a comparison runs on: with the headers of cross-origin isolation, or without any. */
export type Isolation = "isolated" | "plain";

export interface CallComparison {
  readonly isolation: Isolation;
  readonly operation: Operation;
  readonly claim: Claim;
}

const echo = (isolation: Isolation) => (name: string, claim: Omit<Claim, "name">) =>
  ({ isolation, operation: "echo", claim: { name, ...claim } }) satisfies CallComparison;
const isolated = echo("isolated");
const plain = echo("plain");

/** A goal of 1 where DESIGN.md says "ahead of". */
const AHEAD = 1;

/** Everything about calls from Python to the page. Names of sides are those of pages/calls.ts. */
export const callComparisons: readonly CallComparison[] = [
  isolated("primitive, shared memory / raw Atomics", {
    subject: "primitive, shared memory",
    baseline: "raw Atomics",
    goal: 1.2,
  }),
  isolated("primitive, shared memory / raw Atomics from Python", {
    subject: "primitive, shared memory",
    baseline: "raw Atomics from Python",
    goal: null,
  }),
  plain("primitive, JSPI, page / raw postMessage", {
    subject: "primitive, JSPI, page",
    baseline: "raw postMessage",
    goal: 2.5,
  }),
  plain("primitive, JSPI, page / raw postMessage from Python", {
    subject: "primitive, JSPI, page",
    baseline: "raw postMessage from Python",
    goal: null,
  }),
  plain("primitive, JSPI, sealed frame / raw postMessage", {
    subject: "primitive, JSPI, sealed frame",
    baseline: "raw postMessage",
    goal: 2.5,
  }),
  plain("primitive, JSPI, sealed frame / raw postMessage from Python", {
    subject: "primitive, JSPI, sealed frame",
    baseline: "raw postMessage from Python",
    goal: null,
  }),
  plain("primitive, blob channel, sealed frame / raw blob channel", {
    subject: "primitive, blob channel, sealed frame",
    baseline: "raw blob channel, sealed frame",
    goal: null,
  }),
  isolated("tool call, shared memory / primitive", {
    subject: "tool, shared memory",
    baseline: "primitive, shared memory",
    goal: 1.5,
  }),
  plain("tool call, JSPI, page / primitive", {
    subject: "tool, JSPI, page",
    baseline: "primitive, JSPI, page",
    goal: 1.5,
  }),
  plain("tool call, JSPI, sealed frame / primitive", {
    subject: "tool, JSPI, sealed frame",
    baseline: "primitive, JSPI, sealed frame",
    goal: 1.5,
  }),
  plain("tool call, blob channel, sealed frame / primitive", {
    subject: "tool, blob channel, sealed frame",
    baseline: "primitive, blob channel, sealed frame",
    goal: 1.5,
  }),
  isolated("tool call, shared memory / coincident from Python", {
    subject: "tool, shared memory",
    baseline: "coincident from Python",
    goal: AHEAD,
  }),
  isolated("tool call, shared memory / coincident", {
    subject: "tool, shared memory",
    baseline: "coincident",
    goal: null,
  }),
  isolated("tool call, shared memory / PyScript sync", {
    subject: "tool, shared memory",
    baseline: "PyScript sync",
    goal: AHEAD,
  }),
  plain("tool call, JSPI, page / coincident from Python, service worker", {
    subject: "tool, JSPI, page",
    baseline: "coincident from Python, service worker",
    goal: AHEAD,
  }),
  plain("tool call, JSPI, sealed frame / coincident from Python, service worker", {
    subject: "tool, JSPI, sealed frame",
    baseline: "coincident from Python, service worker",
    goal: AHEAD,
  }),
  plain("tool call, JSPI, page / PyScript sync, service worker", {
    subject: "tool, JSPI, page",
    baseline: "PyScript sync, service worker",
    goal: AHEAD,
  }),
  plain("tool call, JSPI, sealed frame / PyScript sync, service worker", {
    subject: "tool, JSPI, sealed frame",
    baseline: "PyScript sync, service worker",
    goal: AHEAD,
  }),
  plain("tool call, blob channel, sealed frame / coincident from Python, service worker", {
    subject: "tool, blob channel, sealed frame",
    baseline: "coincident from Python, service worker",
    goal: AHEAD,
  }),
  plain("tool call, blob channel, sealed frame / PyScript sync, service worker", {
    subject: "tool, blob channel, sealed frame",
    baseline: "PyScript sync, service worker",
    goal: AHEAD,
  }),
  ...inBothDirections("isolated", "tool, shared memory", [
    "raw Atomics from Python",
    "coincident from Python",
    "PyScript sync",
  ]),
  ...inBothDirections("plain", "tool, JSPI, page", ["raw postMessage from Python"]),
  ...inBothDirections("plain", "tool, JSPI, sealed frame", ["raw postMessage from Python"]),
  ...inBothDirections("plain", "tool, blob channel, sealed frame", ["raw blob channel, sealed frame"]),
];

/** 10 MB of bytes to the page, and 10 MB from it. */
function inBothDirections(isolation: Isolation, subject: string, baselines: readonly string[]): CallComparison[] {
  const directions = [
    ["give", "10 MB to the page"],
    ["take", "10 MB from the page"],
  ] as const;
  return baselines.flatMap((baseline) =>
    directions.map(([operation, what]) => ({
      isolation,
      operation,
      claim: { name: `${what}, ${subject} / ${baseline}`, subject, baseline, goal: null },
    })),
  );
}

/** What a side cannot do without. */
export type Need = "shared memory" | "JSPI" | "service worker";

export function needOf(side: string): Need | null {
  if (side.endsWith("service worker")) return "service worker";
  if (/shared memory|Atomics|coincident|PyScript/.test(side)) return "shared memory";
  return /JSPI|raw postMessage from Python/.test(side) ? "JSPI" : null;
}

/** Runs both sides on the page. A sample is as many calls as fill its time; its figure is the time of one call. */
export async function callComparison(
  page: BenchPage,
  { operation, claim }: CallComparison,
  effort: Effort,
): Promise<Comparison<"time">> {
  const time = async (side: string, count: number): Promise<number> =>
    z.number().parse(await page.ask(callOf("calls.time", side, operation, count))) / count;
  const sample = async (side: string): Promise<() => Promise<{ time: number }>> => {
    const count = Math.max(1, Math.ceil(effort.sampleTime / (await warmUp((calls) => time(side, calls)))));
    return async () => ({ time: await time(side, count) });
  };
  return { claims: { time: claim }, subject: await sample(claim.subject), baseline: await sample(claim.baseline) };
}

/**
 * Calls until caches are full and the engine has compiled what it will: 600 times, or for a second where a call
 * takes long. Milliseconds of one call then.
 */
async function warmUp(time: (calls: number) => Promise<number>): Promise<number> {
  const one = await time(2);
  const calls = Math.max(2, Math.min(300, Math.ceil(500 / one)));
  await time(calls);
  return time(calls);
}
