import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { everyAttempt, titleOf, type Attempt } from "./attempts/index.js";
import { batchesOf, sealedGrouping } from "./batches.js";
import { startDriver } from "./drivers/index.js";
import { attemptOf, hearNoMore, observe, signsIn, succeeds, type Observation } from "./observe.js";
import { lacksOf } from "./probes.js";
import { openPass } from "./suite.js";
import { inTurn } from "./turns.js";
import { workerChecks } from "./worker-checks.js";

/** Milliseconds for what a browser allows and takes its time for: ICE does, and so does a busy browser with what it may put off. */
const LATE = 10_000;

/** Every attempt against the seal, in one engine. One that is not installed is a skipped test by its name. */
export async function sealedSuite(engine: EngineName): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`sealed: ${driver}`, () => undefined);
    return;
  }
  const pass = await openPass(driver, inject("escapePage"));
  const lacks = await lacksOf(pass, everyAttempt);
  const outliving = new Set(everyAttempt.filter(({ outlivesIn = [] }) => outlivesIn.includes(engine)).map(titleOf));
  const isAllowed = ({ allowedBy = [] }: Attempt): boolean => allowedBy.includes(engine);
  const refused = batchesOf(
    everyAttempt.filter((attempt) => !isAllowed(attempt)),
    sealedGrouping,
    async (titles) => {
      const make = (): Promise<Observation> => observe(pass, titles, { environment: "sealed" });
      const isRuinous = titles.some((title) => attemptOf(title).ruinous === true);
      const seen = isRuinous ? await inTurn(inject("turnsPort"), make) : await make();
      if (titles.some((title) => outliving.has(title))) await pass.reopen();
      return (title) => seen.of(title);
    },
  );
  const expectNothing = async (title: string): Promise<void> => {
    const seen = await refused.get(title)?.();
    // One text, since a list of them would be shown by its length.
    expect(seen === undefined ? "not made" : signsIn(seen).join("\n")).toBe("");
  };

  describe(`sealed, ${driver.version}`, () => {
    beforeAll(async () => {
      await hearNoMore(pass);
    });
    afterAll(async () => {
      await pass.close();
    });

    test("JavaScript does run in the sealed worker, so that attempts in it say something", async () => {
      expect(await pass.ask("escapePage.then((page) => page.runsScripts())")).toBe(true);
    });

    test.each(workerChecks)("$title", async ({ find }) => {
      expect(await find(pass)).toEqual([]);
    });

    for (const title of refused.keys()) {
      const lack = lacks.get(title);
      if (lack === undefined) {
        test(`${title}: nothing gets out`, () => expectNothing(title));
        continue;
      }
      test(`${title}: not in this engine, which has no ${lack.need}`, async ({ skip }) => {
        await expectNothing(title);
        skip(lack.finding);
      });
    }

    test("nothing arrived late, on any listener", async () => {
      await hearNoMore(pass);

      expect(pass.listeners.arrivals).toEqual([]);
      // With hundreds of attempts behind it a page may take minutes to load a frame for another.
      await pass.reopen();
    });

    const isSteady = ({ unsteadyIn = [] }: Attempt): boolean => !unsteadyIn.includes(engine);
    const allowed = everyAttempt.filter(isAllowed);
    test.skip.each(allowed.filter((attempt) => !isSteady(attempt)).map(titleOf))(
      "%s: the browser lets a frame's script do it now and then",
      () => undefined,
    );

    test.each(allowed.filter(isSteady).map(titleOf))("%s: the browser lets a frame's script do it", async (title) => {
      const attempt = attemptOf(title);
      // By the clock: a thread beside the page's may get little done on a busy machine.
      const how = { environment: "sealed", silenceBy: "waited" } as const;
      let seen = await (await observe(pass, [title], how)).awaited(title, 0);
      if (!succeeds(attempt, seen)) {
        // What others left in the page's history may have been in its way.
        await pass.reopen();
        seen = await (await observe(pass, [title], how)).awaited(title, LATE);
      }

      expect(seen).toSatisfy((signs: typeof seen) => succeeds(attempt, signs));
    });
  });
}
