import { z } from "zod";

import type { Engine, EngineName } from "../../test/engines/drivers/index.js";
import type { Claim, Comparison } from "../comparison.js";
import { defined, limited } from "../engine-page.js";

type Figure = "open" | "firstResult";

export interface OpeningSet {
  readonly visit: "first" | "repeat";
  readonly trust: "sandboxed" | "local";
  readonly claims: Readonly<Record<Figure, Claim>>;
}

/** What a page that opens an interpreter tells; see `Opening` of pages/bench-page.ts. */
const Opened = z.object({
  open: z.number(),
  firstResult: z.number(),
  from: z.string(),
  stages: z.record(z.string(), z.number()),
});
export type Opened = z.infer<typeof Opened>;

const BARE = "bare loadPyodide in a worker";

/** `open` and `first result` are figures of the same visit. */
export function openingSets(engine: EngineName): readonly OpeningSet[] {
  return [
    openingSet("first", "sandboxed", 0.8),
    openingSet("repeat", "sandboxed", engine === "firefox" ? 0.3 : 0.2),
    openingSet("repeat", "local", null),
  ];
}

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

/** Opens the page in a tab of its own, and closes the tab. */
export async function visit(engine: Engine, url: string): Promise<Opened> {
  const page = await engine.openPage(url);
  try {
    return Opened.parse(await page.evaluate(limited(defined("opening"))));
  } finally {
    await page.close();
  }
}

/** `open` visits a page as the set asks: with nothing in any cache, or with everything. */
export function openingComparison(
  { trust, claims }: OpeningSet,
  open: (page: string) => Promise<Opened>,
): Comparison<Figure> {
  return {
    claims,
    subject: () => open(`open-vitrine.html?${trust}`),
    baseline: () => open("open-bare.html"),
  };
}
