import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { attempts, titleOf } from "./attempts/index.js";
import { startDriver } from "./drivers/index.js";
import { openPass, type Pass } from "./suite.js";

/** Milliseconds for which page and other sessions may be silent before that is a stall. */
const LONGEST_SILENCE = 10_000;

/** Every attempt against the seal, in one engine. One that is not installed is a skipped test by its name. */
export async function sealedSuite(engine: EngineName): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`sealed: ${driver}`, () => undefined);
    return;
  }
  describe(`sealed, ${driver.version}`, () => {
    let pass: Pass;
    beforeAll(async () => {
      pass = await openPass(driver);
    });
    afterAll(async () => {
      await pass.close();
      await driver.close();
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
}

/** The page's own request arrives, so what was sent before it did as well; it also shows that the listener hears. */
async function hearNoMore(pass: Pass): Promise<void> {
  const { port } = pass.listeners;
  expect(await pass.ask(`fetch("http://127.0.0.1:${String(port)}/alive").then(({ status }) => status)`)).toBe(204);
}
