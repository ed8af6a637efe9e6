import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import type { EngineName } from "../engines/drivers/index.js";
import { absent, everyAttempt, titleOf, type Attempt } from "./attempts/index.js";
import { batchesOf } from "./batches.js";
import { startDriver } from "./drivers/index.js";
import type { Arrival } from "./servers/listeners.js";
import { GivenUpError, LONGEST_SEALED_SILENCE, LONGEST_SILENCE, openPass, StalledError, type Pass } from "./suite.js";

/** Milliseconds for what a browser allows and takes its time for. */
const LATE = 10_000;

/** Milliseconds. Browsers give a finer clock, 5 to 20 microseconds, to pages that are cross-origin isolated. */
const COARSE = 0.05;

/** Every attempt against the seal, in one engine. One that is not installed is a skipped test by its name. */
export async function sealedSuite(engine: EngineName): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`sealed: ${driver}`, () => undefined);
    return;
  }
  const outliving = new Set(everyAttempt.filter(({ outlivesIn = [] }) => outlivesIn.includes(engine)).map(titleOf));
  const isAllowed = ({ allowedBy = [] }: Attempt): boolean => allowedBy.includes(engine);
  describe(`sealed, ${driver.version}`, () => {
    let pass: Pass;
    const refused = batchesOf(
      everyAttempt.filter((attempt) => !isAllowed(attempt)),
      async (titles) => {
        const seen = await attemptTogether(pass, titles);
        if (titles.some((title) => outliving.has(title))) await pass.reopen();
        return seen;
      },
    );
    beforeAll(async () => {
      pass = await openPass(driver, inject("escapePage"));
    });
    afterAll(async () => {
      await pass.close();
    });

    test("JavaScript does run in the sealed worker, so that attempts in it say something", async () => {
      expect(await pass.ask("escapePage.then((page) => page.runsScripts())")).toBe(true);
    });

    test("worker code has none of what a frame's own script is allowed", async () => {
      expect(await pass.ask(`escapePage.then((page) => page.present(${JSON.stringify(absent)}))`)).toEqual([]);
    });

    test("worker code has no second thread that counts for it, and no clock finer than the coarse one", async () => {
      const threads = ["Worker", "SharedWorker", "SharedArrayBuffer"];
      expect(await pass.ask(`escapePage.then((page) => page.present(${JSON.stringify(threads)}))`)).toEqual([]);
      expect(await pass.ask("escapePage.then((page) => page.finestClock())")).toBeGreaterThanOrEqual(COARSE);
    });

    test.each([...refused.keys()])("%s: nothing gets out", async (title) => {
      const seen = await refused.get(title)?.();

      expect(seen).toEqual({ ...nothing, outcome: seen?.outcome });
    });

    test("nothing arrived late, on any listener", async () => {
      await hearNoMore(pass);

      expect(pass.listeners.arrivals).toEqual([]);
    });

    const isSteady = ({ unsteadyIn = [] }: Attempt): boolean => !unsteadyIn.includes(engine);
    const allowed = everyAttempt.filter(isAllowed);
    test.skip.each(allowed.filter((attempt) => !isSteady(attempt)).map(titleOf))(
      "%s: the browser lets a frame's script do it now and then",
      () => undefined,
    );

    test.each(allowed.filter(isSteady).map(titleOf))("%s: the browser lets a frame's script do it", async (title) => {
      const isOwn = ownSign(title);
      let seen = await observe(pass, [title], LONGEST_SILENCE);
      if (!isOwn(seen)) {
        // What others left in the page's history may have been in its way.
        await pass.reopen();
        const from = pass.listeners.arrivals.length;
        const bare = pass.listeners.connects();
        seen = await observe(pass, [title], LONGEST_SILENCE);
        if (!isOwn(seen)) seen = { ...seen, ...(await lateSigns(pass, { from, bare })) };
      }

      expect(seen).toSatisfy(isOwn);
    });
  });
}

/** The signs of a success. */
interface Signs {
  readonly arrivals: readonly Arrival[];
  readonly bareConnects: number;
  readonly effects: readonly string[];
  readonly toldSecret: boolean;
  readonly wasSilent: boolean;
}

interface Seen extends Signs {
  readonly outcome: string;
}

const nothing: Signs = { arrivals: [], bareConnects: 0, effects: [], toldSecret: false, wasSilent: false };

/** Whether what was seen is the sign by which this attempt succeeds, and not what another left. */
function ownSign(title: string): (seen: Signs) => boolean {
  const sign = everyAttempt.find((attempt) => titleOf(attempt) === title)?.sign;
  return ({ arrivals, bareConnects, effects, toldSecret, wasSilent }) => {
    switch (sign) {
      case "bytes":
        return arrivals.length > 0;
      case "connect":
        return bareConnects > 0;
      case "effect":
        return effects.length > 0;
      case "secret":
        return toldSecret;
      case "silence":
      case "stall":
        return wasSilent;
      case undefined:
        return false;
    }
  };
}

/** Side by side. Only if something shows is each made again alone, to find whose it was. */
async function attemptTogether(pass: Pass, titles: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
  const together = await observe(pass, titles);
  if (isNothing(together)) return seenBy(titles, together);
  // A busy machine is silent now and then; who can stop the page can do so each time.
  if (titles.length === 1) return seenBy(titles, together.wasSilent ? await observe(pass, titles) : together);
  const alone = new Map<string, Seen>();
  for (const title of titles) {
    for (const [key, seen] of await attemptTogether(pass, [title])) alone.set(key, seen);
  }
  // Silence that none of them makes alone was the machine's; anything else is somebody's.
  const isTold = [...alone.values()].some((seen) => !isNothing(seen)) || isNothing({ ...together, wasSilent: false });
  return isTold ? alone : seenBy(titles, together);
}

function seenBy(titles: readonly string[], { outcomes, ...signs }: Observation): ReadonlyMap<string, Seen> {
  return new Map(titles.map((title) => [title, { ...signs, outcome: outcomes.get(title) ?? "" }]));
}

function isNothing({ arrivals, bareConnects, effects, toldSecret, wasSilent }: Signs): boolean {
  return arrivals.length === 0 && bareConnects === 0 && effects.length === 0 && !toldSecret && !wasSilent;
}

/** Where silence is looked at; elsewhere it would tell of the machine. */
const denying = new Set(everyAttempt.filter(({ group }) => group === "denial of service").map(titleOf));

interface Observation extends Signs {
  readonly outcomes: ReadonlyMap<string, string>;
}

async function observe(
  pass: Pass,
  titles: readonly string[],
  longestSilence = LONGEST_SEALED_SILENCE,
): Promise<Observation> {
  const from = pass.listeners.arrivals.length;
  const bare = pass.listeners.connects();
  try {
    const { attempts, effects, silence } = await pass.make(titles, "sealed");
    await hearNoMore(pass);
    const seen = {
      outcomes: new Map(attempts.map(({ title, outcome }) => [title, outcome])),
      arrivals: pass.listeners.arrivals.slice(from),
      bareConnects: pass.listeners.bareConnectsSince(bare),
      effects: [...effects, ...pass.takeEvents()],
      toldSecret: attempts.some(({ toldSecret }) => toldSecret),
      wasSilent: titles.some((title) => denying.has(title)) && silence > longestSilence,
    };
    // So that what comes through is not blamed on the next.
    await pass.ask("escapePage.then((page) => page.reset())");
    return seen;
  } catch (error) {
    // A session that does not open any more is what a denial of service looks like.
    const isDenial = titles.some((title) => denying.has(title));
    if (!(error instanceof Error) || error instanceof GivenUpError) throw error;
    if (!(error instanceof StalledError || isDenial)) throw error;
    await pass.reopen();
    return { ...nothing, wasSilent: true, outcomes: new Map(titles.map((title) => [title, error.message])) };
  }
}

/** What arrives within {@link LATE}: ICE takes its time, and so does a busy browser with what it may put off. */
async function lateSigns(
  { listeners }: Pass,
  { from, bare }: { readonly from: number; readonly bare: number },
): Promise<Pick<Signs, "arrivals" | "bareConnects">> {
  const seen = (): Pick<Signs, "arrivals" | "bareConnects"> => ({
    arrivals: listeners.arrivals.slice(from).filter(({ slug }) => slug === null),
    bareConnects: listeners.bareConnectsSince(bare),
  });
  const end = performance.now() + LATE;
  while (seen().arrivals.length + seen().bareConnects === 0 && performance.now() < end) await delay(50);
  return seen();
}

/** The page's own request arrives, so what was sent before it did as well; it also shows that the listener hears. */
async function hearNoMore(pass: Pass): Promise<void> {
  const { port } = pass.listeners;
  expect(await pass.ask(`fetch("http://127.0.0.1:${String(port)}/alive").then(({ status }) => status)`)).toBe(204);
}
