import { afterAll, describe, expect, inject, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { attempts, titleOf } from "./attempts/index.js";
import { batchesOf, openGrouping } from "./batches.js";
import { startDriver } from "./drivers/index.js";
import { attemptOf, observe, succeeds, type Observation, type Seen } from "./observe.js";
import { lacksOf } from "./probes.js";
import { openPass } from "./suite.js";

/** Milliseconds in which bytes that were let out arrive. */
const ARRIVAL = 5000;
const IN_COMPANY = 500;

/**
 * The twin of each attempt: the same code in the same engine, where nothing holds it. It must succeed, or a refusal of the attempt
 * says nothing. One whose need the engine lacks must not: then its probe would be stale.
 */
export async function twinSuite(engine: EngineName): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`twins: ${driver}`, () => undefined);
    return;
  }
  const pass = await openPass(driver, inject("escapePage"));
  const twins = attempts.filter(({ sign }) => sign !== "stall");
  const lacks = await lacksOf(pass, twins);
  const observed = batchesOf(twins, openGrouping, async (titles) => {
    const seen = await observe(pass, titles, { environment: "open", silenceBy: "waited" });
    return (): Observation => seen;
  });
  const alone = async (title: string): Promise<Seen> =>
    (await observe(pass, [title], { environment: "open", silenceBy: "waited" })).awaited(title, ARRIVAL);
  const inCompany = async (title: string): Promise<Seen | undefined> =>
    (await observed.get(title)?.())?.awaited(title, IN_COMPANY);

  describe(`twins, ${driver.version}`, () => {
    afterAll(async () => {
      await pass.close();
    });

    for (const title of twins.map(titleOf)) {
      const lack = lacks.get(title);
      const attempt = attemptOf(title);
      if (lack === undefined) {
        test(`${title}: its twin comes through where nothing holds it`, async () => {
          let seen = await inCompany(title);
          if (seen === undefined || !succeeds(attempt, seen)) {
            // In company one may have been in the way of another, and so may what others left behind.
            await pass.reopen();
            seen = await alone(title);
          }

          expect(seen).toSatisfy((signs: Seen) => succeeds(attempt, signs));
        });
        continue;
      }
      test(`${title}: not in this engine, which has no ${lack.need}`, async ({ skip }) => {
        const seen = await inCompany(title);

        expect(seen).not.toSatisfy((signs: Seen) => succeeds(attempt, signs));
        skip(lack.finding);
      });
    }
  });
}
