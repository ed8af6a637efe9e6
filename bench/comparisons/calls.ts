import type { Page } from "@playwright/test";

import type { Claim, Comparison, Effort } from "../comparison.js";
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
  ...inBothDirections("isolated", "tool, shared memory", [
    "raw Atomics from Python",
    "coincident from Python",
    "PyScript sync",
  ]),
  ...inBothDirections("plain", "tool, JSPI, page", ["raw postMessage from Python"]),
  ...inBothDirections("plain", "tool, JSPI, sealed frame", ["raw postMessage from Python"]),
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

/** Runs both sides on the page. A sample is as many calls as fill its time; its figure is the time of one call. */
export async function callComparison(
  page: Page,
  { operation, claim }: CallComparison,
  effort: Effort,
): Promise<Comparison<"time">> {
  const time = (side: string, count: number): Promise<number> =>
    page.evaluate(
      ([name, what, times]) => {
        if (globalThis.calls === undefined) throw new Error("The page is not ready.");
        return globalThis.calls.time(name, what, times);
      },
      [side, operation, count] as const,
    );
  const sample = async (side: string): Promise<() => Promise<{ time: number }>> => {
    // The first calls fill caches and let the engine compile; the second look says how many fit.
    const warmUp = operation === "echo" ? 300 : 3;
    await time(side, warmUp);
    const one = (await time(side, warmUp)) / warmUp;
    const count = Math.max(operation === "echo" ? 10 : 1, Math.ceil(effort.sampleTime / one));
    return async () => ({ time: (await time(side, count)) / count });
  };
  return { claims: { time: claim }, subject: await sample(claim.subject), baseline: await sample(claim.baseline) };
}
