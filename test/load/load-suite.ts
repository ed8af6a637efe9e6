import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";

import { serveFolder, type StaticServer } from "../../.ci/static-server.mjs";
import type { EngineName } from "../engines/drivers/index.js";
import { launchDriver, startDriver, type DrivenPage, type Driver } from "../escape/drivers/index.js";
import { loadAttempts, type LoadAttempt } from "./attempts/index.js";
import type { BoundName } from "./bounds.js";
import type { Work } from "./page/meter.js";
import type { LoadReport } from "./page/report.js";

/**
 * The most that the page's thread may do between two of its turns, unless an attempt says what it may do more and why. It is
 * twice what was seen: how many pieces of work come between two turns is for the browser to say, and a quick machine does
 * more in the time that a piece may take.
 */
const MOST: Work = {
  readText: 6_000_000,
  readParts: 240_000,
  writtenText: 8_000_000,
  decoded: 6_000_000,
  // The text of a request may be 16 MiB.
  encoded: 17_000_000,
  markup: 1_000_000,
  nodes: 4000,
};

/** Pieces of work in a row that give the thread away with no turn of the page's between them: as many as begin at once. */
const MOST_UNHEARD = 20;

/** WebKitGTK may say that a page is loaded before its modules have run. */
const READY = `(async () => {
  while (globalThis.loadPage === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  await loadPage;
})()`;

/** Twins that share a browser. What they hand over without a bound WebKitGTK keeps, page or not, until nothing goes on in 11 GB. */
const MOST_TWINS = 8;

/** Bounds without which a session's heap keeps so much that the next twin would end with its limit: a page for each. */
const FILLS_HEAP: readonly BoundName[] = ["messages"];

/** Milliseconds without an answer to a question of the driver's, which a page that goes on answers at once. */
const DEAF = 20_000;

/** Milliseconds between two such questions. */
const PACE = 200;

/** Milliseconds between two turns of the page beyond which it is frozen. */
const FROZEN = 100;

/**
 * The same for a page that must not freeze: work that a thread beside it got done meanwhile, which a busy machine lengthens
 * less. Beside three suites, 360 were seen.
 */
const SILENT = 500;

export const isBrief = ({ isBrief: brief = false }: LoadAttempt): boolean => brief;

interface LoadOptions {
  /** Default: every attempt. */
  readonly isWanted?: (attempt: LoadAttempt) => boolean;
  /** Whether each attempt is shown to freeze a page that lacks its bound. Default: true. */
  readonly hasTwins?: boolean;
}

/** Each attempt on a page as it ships, and once more without what bounds it. */
export async function loadSuite(
  engine: EngineName,
  { isWanted = () => true, hasTwins = true }: LoadOptions = {},
): Promise<void> {
  const driver = await startDriver(engine);
  if (typeof driver === "string") {
    test.skip(`load: ${driver}`, () => undefined);
    return;
  }
  await driver.close();
  const attempts = loadAttempts.filter(isWanted);
  describe(`load, ${driver.version}`, () => {
    let server: StaticServer;
    let browser: Driver;
    beforeAll(async () => {
      server = await serveFolder(inject("loadPage"));
      browser = await launchDriver(engine);
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    describe("nothing holds the page", () => {
      let page: DrivenPage;
      beforeAll(async () => {
        page = await openLoadPage(browser, server.url);
      });
      afterAll(() => page.close());

      test.each(attempts)("$entry, $name", async (attempt) => {
        const { name, refusedWith, says = "", isSliced, allows = {}, endsSession = false } = attempt;
        const report = await make(page, name);
        const most: Work = { ...MOST, ...allows };

        expect(report.error?.code ?? null).toBe(refusedWith);
        expect(report.error?.message ?? "").toContain(says);
        for (const kind of Object.keys(most) as (keyof Work)[]) {
          expect(report.most[kind], `${kind} in one turn`).toBeLessThanOrEqual(most[kind]);
        }
        expect(report.turns).toBeGreaterThan(1);
        if (isSliced) expect(report.yields).toBeGreaterThan(0);
        expect(report.unheard).toBeLessThanOrEqual(MOST_UNHEARD);
        expect(report.next).toBe(endsSession ? null : 2);
        expect(report.keptAll).toBe(true);
      });
    });

    const bounds = hasTwins ? [...new Set(attempts.map(({ bound }) => bound))] : [];
    describe.each(bounds)("without its bound (%s)", (bound) => {
      const twins = attempts.filter((attempt) => attempt.bound === bound);
      let page: DrivenPage | undefined;
      let made = 0;
      /** Milliseconds that the page's thread was busy at a stretch. */
      const longestOf = async (name: string): Promise<number> => {
        const twin = await pageForTwin();
        const report = await makeUnlessDeaf(twin, name);
        if (report === null) page = undefined;
        return report?.longest ?? Infinity;
      };
      const pageForTwin = async (): Promise<DrivenPage> => {
        if (page === undefined || made % (FILLS_HEAP.includes(bound) ? 1 : MOST_TWINS) === 0) {
          await browser.close();
          browser = await launchDriver(engine);
          page = await openLoadPage(browser, server.url, bound);
        }
        made += 1;
        return page;
      };

      for (const { entry, name, harmless = {} } of twins) {
        const reason = harmless[engine];
        const title = reason === undefined ? "the page freezes" : `the page goes on all the same: ${reason}`;
        test(`${title}: ${entry}, ${name}`, async () => {
          if (reason === undefined) expect(await longestOf(name)).toBeGreaterThan(FROZEN);
          else expect((await make(await pageForTwin(), name)).silence.worked).toBeLessThanOrEqual(SILENT);
        });
      }
    });
  });
}

async function openLoadPage(browser: Driver, url: string, without?: BoundName): Promise<DrivenPage> {
  const query = without === undefined ? "" : `?${new URLSearchParams({ without }).toString()}`;
  const page = await browser.openPage(`${url}${query}`);
  await page.evaluate(READY);
  return page;
}

async function make(page: DrivenPage, name: string): Promise<LoadReport> {
  return (await page.evaluate(`loadPage.then((page) => page.make(${JSON.stringify(name)}))`)) as LoadReport;
}

/**
 * The same for a page that may not come back.
 *
 * @returns null for one that leaves a question without an answer, or goes on for long after it was frozen.
 */
async function makeUnlessDeaf(page: DrivenPage, name: string): Promise<LoadReport | null> {
  const making = `loadPage.then((page) => page.make(${JSON.stringify(name)}))`;
  await page.evaluate(`(globalThis.made = null, void ${making}.then((report) => (globalThis.made = report)), null)`);
  const began = performance.now();
  for (;;) {
    const asked = page.evaluate("globalThis.made ?? loadMeter.longest");
    const answer = await Promise.race([asked, after(DEAF)]);
    if (answer === undefined) {
      asked.catch(() => undefined);
      return null;
    }
    if (typeof answer !== "number") return answer as LoadReport;
    if (answer > FROZEN && performance.now() - began > DEAF) return null;
    await after(PACE);
  }
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}
