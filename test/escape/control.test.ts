import { afterAll, beforeAll, expect, inject, test } from "vitest";

import { attempts, everyAttempt, slugOf, titleOf, type Attempt } from "./attempts/index.js";
import { batchesOf } from "./batches.js";
import { launchDriver, type Driver } from "./drivers/index.js";
import type { BatchReport } from "./page/report.js";
import { LONGEST_SILENCE, openPass, type Pass } from "./suite.js";

/** Milliseconds in which bytes that were let out arrive. */
const ARRIVAL = 5000;
const IN_COMPANY = 500;

/** Milliseconds in which a page stops that is going to. */
const STALLING = 5000;

let pass: Pass;
beforeAll(async () => {
  pass = await openPass(await launchDriver("chromium"), inject("escapePage"));
});
afterAll(async () => {
  await pass.close();
});

test("at least 80 attempts are counted, each with a name of its own", () => {
  console.log(`${String(attempts.length)} counted attempts`);
  expect(attempts.length).toBeGreaterThanOrEqual(80);
  expect(new Set(everyAttempt.map(slugOf)).size).toBe(everyAttempt.length);
});

const told = attempts.filter(tellsWhose);
const together = batchesOf(told, async (titles) => {
  const made = await make(titles);
  return new Map(titles.map((title) => [title, made]));
});
test.each(named(told))("control: %s comes through where nothing holds it", async (title, attempt) => {
  const first = await together.get(title)?.();
  if (first !== undefined && (await cameThrough(attempt, { ...first, limit: IN_COMPANY }))) return;

  // In company one may have been in the way of another.
  const made = await make([title]);
  expect(await cameThrough(attempt, { ...made, limit: ARRIVAL }), outcomeOf(made, title)).toBe(true);
});

const alone = attempts.filter((attempt) => attempt.sign !== "stall" && !tellsWhose(attempt));
test.each(named(alone))("control: %s comes through where nothing holds it", async (title, attempt) => {
  const first = await make([title]);
  if (await cameThrough(attempt, { ...first, limit: IN_COMPANY })) return;

  // What another left behind may have been in its way.
  await pass.reopen();
  const made = await make([title]);
  expect(await cameThrough(attempt, { ...made, limit: ARRIVAL }), outcomeOf(made, title)).toBe(true);
});

const stalling = attempts.filter(({ sign }) => sign === "stall");
test.each(named(stalling))("control: %s comes through where nothing holds it", async (title) => {
  // One flood holds up what another's browser has to say, and no page that hangs hears that it is to close.
  const own = await launchDriver("chromium");
  try {
    expect(await stops(title, own)).toBe(true);
  } finally {
    await own.close();
  }
});

function named(some: readonly Attempt[]): (readonly [string, Attempt])[] {
  return some.map((attempt) => [titleOf(attempt), attempt] as const);
}

/** Whether its sign tells whose it is, so that others can be made beside it. */
function tellsWhose({ sign, group, unnamed = false }: Attempt): boolean {
  // One navigation of a window ends another.
  return (sign === "bytes" && !unnamed && group !== "navigation") || sign === "secret";
}

interface Made {
  readonly report: BatchReport;
  /** Of the listeners' arrivals, and connections, the first that may be of it. */
  readonly from: number;
  readonly bare: number;
  readonly effects: readonly string[];
}

async function make(titles: readonly string[]): Promise<Made> {
  const from = pass.listeners.arrivals.length;
  const bare = pass.listeners.connects();
  const report = await pass.make(titles, "control");
  const effects = [...report.effects, ...pass.takeEvents()];
  await pass.ask("escapePage.then((page) => page.reset())");
  return { report, from, bare, effects };
}

async function cameThrough(attempt: Attempt, made: Made & { readonly limit: number }): Promise<boolean> {
  const { report, from, bare, effects, limit } = made;
  switch (attempt.sign) {
    case "bytes": {
      const { unnamed = false } = attempt;
      return (await pass.listeners.heard(slugOf(attempt), { from, unnamed, limit })) !== null;
    }
    case "secret":
      return report.attempts.some(({ title, toldSecret }) => title === titleOf(attempt) && toldSecret);
    case "connect":
      return pass.listeners.bareConnectsSince(bare) > 0;
    case "silence":
      return report.silence > LONGEST_SILENCE;
    case "effect":
      return effects.length > 0;
    case "stall":
      return false;
  }
}

function outcomeOf({ report }: Made, title: string): string {
  return report.attempts.find((attempt) => attempt.title === title)?.outcome ?? "";
}

/** Runs the code on a page of its own, and sees whether the page ceases to answer. */
async function stops(title: string, own: Driver): Promise<boolean> {
  const page = await own.openPage(pass.addressOf("/plain.html"));
  await page.evaluate(`attemptPlainly(${JSON.stringify(title)})`);
  const end = performance.now() + STALLING;
  while (performance.now() < end) {
    const answer = page.evaluate("true").catch(() => "gone");
    const late = new Promise<string>((resolve) => setTimeout(resolve, LONGEST_SILENCE, "late"));
    if ((await Promise.race([answer, late])) !== true) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
