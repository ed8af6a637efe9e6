import { z } from "zod";

import { serveFolder } from "../../.ci/static-server.mjs";
import type { Engine, EnginePage } from "../../test/engines/drivers/index.js";
import { buildConfigured } from "../../test/escape/build-page.js";
import { loadAttempts, type LoadAttempt } from "../../test/load/attempts/index.js";
import type { Claim, Comparison } from "../comparison.js";
import { defined, limited } from "../engine-page.js";

/** Milliseconds for which code at `sandboxed` may keep the page's thread busy at a stretch. */
const STRETCH = 100;

/** An attempt of the load suite to keep the page busy, and for how long it does. */
export interface LoadComparison {
  readonly attempt: LoadAttempt;
  readonly claim: Claim;
}

export const loadComparisons: readonly LoadComparison[] = loadAttempts.map((attempt) => ({
  attempt,
  claim: {
    name: `longest stretch, ${attempt.entry}: ${attempt.name} / the limit of ${String(STRETCH)} ms`,
    subject: `longest stretch of the page's thread while code at sandboxed tries ${attempt.name} (${attempt.entry})`,
    baseline: `${String(STRETCH)} ms`,
    goal: 1,
  },
}));

/** The page of the load suite, as applications are built, with nothing counted but its turns. */
export class LoadPages {
  readonly #server: Awaited<ReturnType<typeof serveFolder>>;

  private constructor(server: Awaited<ReturnType<typeof serveFolder>>) {
    this.#server = server;
  }

  static async open(): Promise<LoadPages> {
    const folder = await buildConfigured("test/load/page/vite.config.ts", "production", "vitrine-load");
    return new LoadPages(await serveFolder(folder));
  }

  /** Makes the attempt again and again in one page of a browser. */
  compare({ attempt, claim }: LoadComparison, engine: Engine): Comparison<"longest"> {
    let page: EnginePage | undefined;
    return {
      claims: { longest: claim },
      subject: async () => {
        page ??= await engine.openPage(`${this.#server.url}?unmetered`);
        return { longest: await longestOf(attempt, page) };
      },
      baseline: () => Promise.resolve({ longest: STRETCH }),
    };
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}

const Made = z.object({ longest: z.number() });

async function longestOf({ name }: LoadAttempt, page: EnginePage): Promise<number> {
  const make = `${defined("loadPage")}.then((page) => page.make(${JSON.stringify(name)}))`;
  return Made.parse(await page.evaluate(limited(make))).longest;
}
