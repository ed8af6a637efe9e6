import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { ANSWERS } from "../timeouts.mjs";
import { attempts, slugOf, titleOf, type Attempt } from "./attempts/index.js";
import { batchesOf, stallGrouping } from "./batches.js";
import { launchDriver, startDriver } from "./drivers/index.js";
import { attemptOf } from "./observe.js";
import type { Beats } from "./servers/beats.js";
import { openPass, StalledError, type Pass } from "./suite.js";
import { inTurn } from "./turns.js";

/** Beats of an idle page beside it for which a stopped page is silent: 2.5 seconds, and longer on a busy machine. */
const SILENT = 25;

/** Beats of the idle page by which one that is going to stop has stopped. */
const STOPPING = 100;

/** Beats of the idle page after which the next is let go. */
const NEXT = 4;

/** Milliseconds between two looks at the beats. */
const LOOK = 50;

/** Looks for which the idle page is silent as well where an attempt stops all of the browser: 10 seconds. */
const BROWSER_SILENT = 200;

const REFERENCE = "reference";

/** What `npm test` tries, of the many that `npm run test:stalls` does: Python, C below it, and JavaScript. */
const brief: ReadonlySet<string> = new Set(["an endless loop", "one long call of C", "endless microtasks"]);

export const isBrief = ({ name }: Attempt): boolean => brief.has(name);

/**
 * The twins of attempts to deny service: each on the thread of a page of its own, which must stop. An idle page of the same
 * browser shows that the machine has not; where it stops as well, this process does, which goes on.
 */
export async function stallSuite(
  engine: EngineName,
  isWanted: (attempt: Attempt) => boolean = () => true,
): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`stall twins: ${driver}`, () => undefined);
    return;
  }
  await driver.close();
  const twins = attempts.filter((attempt) => attempt.sign === "stall" && isWanted(attempt));
  describe(`stall twins, ${driver.version}`, () => {
    let pass: Pass;
    const stopped = batchesOf(twins, stallGrouping, async (titles) => {
      const found = await inTurn(inject("turnsPort"), () => stoppedBy(pass, titles));
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
  const silentSince = new Map(slugs.map((slug) => [slug, { count: -1, at: 0, look: 0 }]));
  const end = beats.count(REFERENCE) + STOPPING;
  const idle = new LooksWithoutBeat(pass, REFERENCE);
  for (let look = 1; stopped.size < titles.length && beats.count(REFERENCE) < end; look += 1) {
    await delay(LOOK);
    const now = beats.count(REFERENCE);
    const isBrowserSilent = idle.look() >= BROWSER_SILENT;
    for (const [at, title] of titles.entries()) {
      const slug = slugs[at] ?? "";
      if (!beats.hasBegun(slug)) continue;
      const count = beats.count(slug);
      const last = silentSince.get(slug);
      if (last?.count !== count) silentSince.set(slug, { count, at: now, look });
      else if (now - last.at >= SILENT || (isBrowserSilent && look - last.look >= BROWSER_SILENT)) stopped.add(title);
    }
    if (isBrowserSilent) break;
  }
  await pass.reopen();
  return stopped;
}

/** Tells for how many looks, one after the other, a page has not beaten. */
class LooksWithoutBeat {
  readonly #beats: Beats;
  readonly #name: string;
  #count: number;
  #looks = 0;

  constructor({ beats }: Pass, name: string) {
    this.#beats = beats;
    this.#name = name;
    this.#count = beats.count(name);
  }

  look(): number {
    const count = this.#beats.count(this.#name);
    this.#looks = count === this.#count ? this.#looks + 1 : 0;
    this.#count = count;
    return this.#looks;
  }
}

/** @throws {StalledError} when a page does not get as far as its attempt. */
async function ready({ beats }: Pass, slug: string): Promise<void> {
  const end = performance.now() + ANSWERS;
  while (!beats.isReady(slug)) {
    if (performance.now() > end)
      throw new StalledError(`The page of ${slug} is not ready after ${String(ANSWERS / 1000)} s.`);
    await delay(LOOK);
  }
}

/** Waits for beats. False when the idle page has had so many meanwhile that they will not come, or has stopped itself. */
async function beatsAgain(pass: Pass, name: string, more: number): Promise<boolean> {
  const { beats } = pass;
  const wanted = beats.count(name) + more;
  const end = beats.count(REFERENCE) + STOPPING;
  const idle = new LooksWithoutBeat(pass, REFERENCE);
  while (beats.count(name) < wanted && beats.count(REFERENCE) < end && idle.look() < BROWSER_SILENT) await delay(LOOK);
  return beats.count(name) >= wanted;
}
