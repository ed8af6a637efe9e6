import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { attempts, everyAttempt, slugOf, titleOf, type Attempt } from "./attempts/index.js";
import { startDriver, type Driver } from "./drivers/index.js";
import { openPass, type Pass } from "./suite.js";

/** Milliseconds in which bytes that were let out arrive. */
const ARRIVAL = 5000;

let driver: Driver | undefined;
let pass: Pass;
beforeAll(async () => {
  const started = await startDriver("chromium");
  if (typeof started === "string") throw new Error(`The controls need Chromium. ${started}`);
  driver = started;
  pass = await openPass(driver);
});
afterAll(async () => {
  await pass.close();
  await driver?.close();
});

test("at least 80 attempts are counted, each with a name of its own", () => {
  console.log(`${String(attempts.length)} counted attempts`);
  expect(attempts.length).toBeGreaterThanOrEqual(80);
  expect(new Set(attempts.map(slugOf)).size).toBe(attempts.length);
});

test.each(
  everyAttempt.filter(({ control }) => control !== null).map((attempt) => [titleOf(attempt), attempt] as const),
)("control: %s comes through where nothing holds it", async (title, attempt) => {
  onTestFinished(async () => {
    if (attempt.sign === "stall") await pass.reopen();
    else await pass.ask("escapePage.then((page) => page.reset())");
  });

  await expectSign(attempt, title);
});

async function expectSign(attempt: Attempt, title: string): Promise<void> {
  const from = pass.listeners.arrivals.length;
  if (attempt.sign === "stall") {
    void pass.attempt(title, "control").catch(() => undefined);
    await expect(pass.untilStalled()).resolves.toBeUndefined();
    return;
  }
  const bare = pass.listeners.bareConnects();
  const { outcome, effects, toldSecret, silence } = await pass.attempt(title, "control");
  const events = pass.takeEvents();
  switch (attempt.sign) {
    case "bytes": {
      const { unnamed = false } = attempt;
      const heard = await pass.listeners.heard(slugOf(attempt), { from, unnamed, limit: ARRIVAL });
      expect(heard, outcome).not.toBeNull();
      break;
    }
    case "connect":
      expect(pass.listeners.bareConnects(), outcome).toBeGreaterThan(bare);
      break;
    case "silence":
      expect(silence, outcome).toBeGreaterThan(2000);
      break;
    case "effect":
      expect([...effects, ...events], outcome).not.toEqual([]);
      break;
    case "secret":
      expect(toldSecret, outcome).toBe(true);
      break;
  }
}
