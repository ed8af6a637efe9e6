import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { absent, everyAttempt, titleOf } from "./attempts/index.js";
import { startDriver } from "./drivers/index.js";
import type { Arrival } from "./servers/listeners.js";
import { openPass, type Pass } from "./suite.js";

/** Milliseconds for which page and other sessions may be silent before that is a stall. */
const LONGEST_SILENCE = 2500;

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

    test("worker code has none of what a frame's own script is allowed", async () => {
      expect(await pass.ask(`escapePage.then((page) => page.present(${JSON.stringify(absent)}))`)).toEqual([]);
    });

    const refused = everyAttempt.filter(({ allowedBy = [] }) => !allowedBy.includes(engine));
    test.each(refused.map(titleOf))("%s: nothing gets out", async (title) => {
      const seen = await attemptSealed(pass, title);

      expect(seen).toEqual({ ...nothing, outcome: seen.outcome });
      expect(await pass.ask("escapePage.then((page) => page.neighbourAnswers())")).toBe(true);
    });

    test("nothing arrived late, on any listener", async () => {
      await hearNoMore(pass);

      expect(pass.listeners.arrivals).toEqual([]);
    });

    const permitted = everyAttempt.filter(({ allowedBy = [] }) => allowedBy.includes(engine));
    test.each(permitted.map(titleOf))("%s: the browser lets a frame's script do it", async (title) => {
      const seen = await attemptSealed(pass, title);

      expect(seen).not.toEqual({ ...nothing, outcome: seen.outcome });
    });
  });
}

interface Seen {
  readonly outcome: string;
  readonly arrivals: readonly Arrival[];
  readonly bareConnects: number;
  readonly effects: readonly string[];
  readonly toldSecret: boolean;
  readonly wasSilent: boolean;
}

const nothing: Omit<Seen, "outcome"> = {
  arrivals: [],
  bareConnects: 0,
  effects: [],
  toldSecret: false,
  wasSilent: false,
};

async function attemptSealed(pass: Pass, title: string): Promise<Seen> {
  const from = pass.listeners.arrivals.length;
  const bare = pass.listeners.bareConnects();
  const { outcome, effects, toldSecret, silence } = await pass.attempt(title, "sealed");
  await hearNoMore(pass);
  const seen = {
    outcome,
    arrivals: pass.listeners.arrivals.slice(from),
    bareConnects: pass.listeners.bareConnects() - bare,
    effects: [...effects, ...pass.takeEvents()],
    toldSecret,
    wasSilent: silence > LONGEST_SILENCE,
  };
  // So that one that comes through is not blamed on the next.
  await pass.ask("escapePage.then((page) => page.reset())");
  return seen;
}

/** The page's own request arrives, so what was sent before it did as well; it also shows that the listener hears. */
async function hearNoMore(pass: Pass): Promise<void> {
  const { port } = pass.listeners;
  expect(await pass.ask(`fetch("http://127.0.0.1:${String(port)}/alive").then(({ status }) => status)`)).toBe(204);
}
