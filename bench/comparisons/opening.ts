import type { BrowserContext } from "@playwright/test";

import type { Claim, Comparison } from "../comparison.js";
import type { Opening } from "../pages/bench-page.js";

type Figure = "open" | "firstResult";

export interface OpeningSet {
  readonly visit: "first" | "repeat";
  readonly trust: "sandboxed" | "local";
  readonly claims: Readonly<Record<Figure, Claim>>;
}

const BARE = "bare loadPyodide in a worker";

/** `open` and `first result` are figures of the same visit. */
export const openingSets: readonly OpeningSet[] = [
  openingSet("first", "sandboxed", 0.8),
  openingSet("repeat", "sandboxed", 0.2),
  openingSet("repeat", "local", null),
];

function openingSet(visit: OpeningSet["visit"], trust: OpeningSet["trust"], goal: number | null): OpeningSet {
  const subject = `Session.open, ${trust}`;
  return {
    visit,
    trust,
    claims: {
      open: { name: `open, ${visit} visit, ${trust} / bare Pyodide`, subject, baseline: BARE, goal },
      firstResult: {
        name: `first result, ${visit} visit, ${trust} / bare Pyodide`,
        subject: `${subject}, then 1 + 1`,
        baseline: `${BARE}, then 1 + 1`,
        goal: null,
      },
    },
  };
}

/** Milliseconds for which a visit may hang before the benchmark gives up. */
const VISIT_LIMIT = 120_000;

export async function visit(context: BrowserContext, url: string): Promise<Opening> {
  const page = await context.newPage();
  try {
    await page.goto(url);
    await page.waitForFunction(() => globalThis.opening !== undefined, undefined, { timeout: VISIT_LIMIT });
    return await page.evaluate(() => {
      if (globalThis.opening === undefined) throw new Error("The page opens nothing.");
      return globalThis.opening;
    });
  } finally {
    await page.close();
  }
}

/** `open` visits a page as the set asks: with nothing in any cache, or with everything. */
export function openingComparison(
  { trust, claims }: OpeningSet,
  open: (page: string) => Promise<Opening>,
): Comparison<Figure> {
  const figures = async (page: string): Promise<Record<Figure, number>> => {
    const { open: opened, firstResult } = await open(page);
    return { open: opened, firstResult };
  };
  return {
    claims,
    subject: () => figures(`open-vitrine.html?${trust}`),
    baseline: () => figures("open-bare.html"),
  };
}
