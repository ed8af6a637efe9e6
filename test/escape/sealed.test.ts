import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { attempts, titleOf } from "./attempts/index.js";
import { startDriver, type Driver, type Engine } from "./drivers/index.js";
import { openPass, type Pass } from "./suite.js";

/** Milliseconds for which page and other sessions may be silent before that is a stall. */
const LONGEST_SILENCE = 10_000;

const engines: readonly Engine[] = ["chromium", "firefox", "webkit"];
const drivers = new Map<Engine, Driver | null>();
for (const engine of engines) drivers.set(engine, await startDriver(engine));

describe.each(engines)("sealed, %s", (engine) => {
  const driver = drivers.get(engine) ?? null;
  // Printed as skipped, by its name.
  describe.skipIf(driver === null)(driver === null ? "is not installed here" : driver.version, () => {
    let pass: Pass;
    beforeAll(async () => {
      if (driver !== null) pass = await openPass(driver);
    });
    afterAll(async () => {
      await pass.close();
      await driver?.close();
    });

    test("JavaScript does run in the sealed worker, so that attempts in it say something", async () => {
      expect(await pass.ask("escapePage.then((page) => page.runsScripts())")).toBe(true);
    });

    test.each(attempts.map(titleOf))("%s: nothing gets out", async (title) => {
      const from = pass.listeners.arrivals.length;

      const { outcome, effects, toldSecret, silence } = await pass.attempt(title, "sealed");

      await hearNoMore(pass);
      expect(pass.listeners.arrivals.slice(from), outcome).toEqual([]);
      expect([...effects, ...pass.takeEvents()], outcome).toEqual([]);
      expect(toldSecret, outcome).toBe(false);
      expect(silence).toBeLessThan(LONGEST_SILENCE);
      expect(await pass.ask("escapePage.then((page) => page.neighbourAnswers())")).toBe(true);
    });

    test("nothing arrived late, on any listener", async () => {
      await pass.ask("escapePage.then((page) => page.reset())");

      await hearNoMore(pass);
      expect(pass.listeners.arrivals).toEqual([]);
    });
  });
});

/** The page's own request arrives, so what was sent before it did as well; it also shows that the listener hears. */
async function hearNoMore(pass: Pass): Promise<void> {
  const { port } = pass.listeners;
  expect(await pass.ask(`fetch("http://127.0.0.1:${String(port)}/alive").then(({ status }) => status)`)).toBe(204);
}
