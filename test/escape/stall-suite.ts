import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { ANSWERS } from "../timeouts.mjs";
import { attempts, slugOf, titleOf } from "./attempts/index.js";
import { batchesOf, stallGrouping } from "./batches.js";
import { launchDriver, startDriver } from "./drivers/index.js";
import { attemptOf } from "./observe.js";
import { openPass, StalledError, type Pass } from "./suite.js";

/** Beats of an idle page beside it for which a stopped page is silent: 2.5 seconds, and longer on a busy machine. */
const SILENT = 25;

/** Beats of the idle page by which one that is going to stop has stopped. */
const STOPPING = 100;

/** Beats of the idle page after which the next is let go. */
const NEXT = 4;

const REFERENCE = "reference";

/**
 * The twins of attempts to deny service: each on the thread of a page of its own, which must stop. An idle page of the same browser
 * shows that neither browser nor machine has.
 */
export async function stallSuite(engine: EngineName): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`stall twins: ${driver}`, () => undefined);
    return;
  }
  await driver.close();
  const twins = attempts.filter(({ sign }) => sign === "stall");
  describe(`stall twins, ${driver.version}`, () => {
    let pass: Pass;
    const stopped = batchesOf(twins, stallGrouping, async (titles) => {
      const found = await stoppedBy(pass, titles);
      return (title) => found.has(title);
    });
    beforeAll(async () => {
      pass = await openPass(await launchDriver(engine), inject("escapePage"));
    });
    afterAll(async () => {
      await pass.close();
    });

    test.each(twins.map(titleOf))("%s: its twin stops a page where nothing holds it", async (title) => {
      expect(await stopped.get(title)?.()).toBe(true);
    });
  });
}

/** Those whose pages stop, each after it was let go, and none before. */
async function stoppedBy(pass: Pass, titles: readonly string[]): Promise<ReadonlySet<string>> {
  const { beats } = pass;
  const slugs = titles.map((title) => slugOf(attemptOf(title)));
  await pass.openPlainPages([REFERENCE, ...slugs]);
  for (const slug of slugs) await ready(pass, slug);
  const stopped = new Set<string>();
  for (const [at, slug] of slugs.entries()) {
    // Whoever shares its thread with one that has stopped would be taken for stopped as well.
    if (await beatsAgain(pass, slug, 2)) beats.begin(slug);
    if (at < slugs.length - 1) await beatsAgain(pass, REFERENCE, NEXT);
  }
  const silentSince = new Map(slugs.map((slug) => [slug, { count: -1, at: 0 }]));
  const end = beats.count(REFERENCE) + STOPPING;
  while (stopped.size < titles.length && beats.count(REFERENCE) < end) {
    await delay(50);
    const now = beats.count(REFERENCE);
    for (const [at, title] of titles.entries()) {
      const slug = slugs[at] ?? "";
      if (!beats.hasBegun(slug)) continue;
      const count = beats.count(slug);
      const last = silentSince.get(slug);
      if (last?.count !== count) silentSince.set(slug, { count, at: now });
      else if (now - last.at >= SILENT) stopped.add(title);
    }
  }
  await pass.reopen();
  return stopped;
}

/** @throws {StalledError} when a page does not get as far as its attempt. */
async function ready({ beats }: Pass, slug: string): Promise<void> {
  const end = performance.now() + ANSWERS;
  while (!beats.isHeld(slug)) {
    if (performance.now() > end)
      throw new StalledError(`The page of ${slug} is not ready after ${String(ANSWERS / 1000)} s.`);
    await delay(50);
  }
}

/** Waits for beats. False when the idle page has had so many meanwhile that they will not come. */
async function beatsAgain({ beats }: Pass, name: string, more: number): Promise<boolean> {
  const wanted = beats.count(name) + more;
  const end = beats.count(REFERENCE) + STOPPING;
  while (beats.count(name) < wanted && beats.count(REFERENCE) < end) await delay(20);
  return beats.count(name) >= wanted;
}
