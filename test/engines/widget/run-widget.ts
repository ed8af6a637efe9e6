import { existsSync } from "node:fs";

import { root } from "../build-suite.js";
import type { Engine, EnginePage } from "../drivers/index.js";
import type { Tests } from "../tests.js";
import { cellCases } from "./cell-cases.js";
import { DrivenCell } from "./cell.js";
import { failureCases } from "./failure-cases.js";
import { startWidgetSite, type WidgetSite } from "./site.js";
import { strictCases } from "./strict-cases.js";
import type { WidgetCase } from "./widget-case.js";

/** Tries the widget of the built library, by the engine's own driver. */
export async function runWidget(engine: Engine, { tests, only }: { tests: Tests; only: string }): Promise<void> {
  const titled = [...cellCases, ...failureCases, ...strictCases].map((each) => ({
    ...each,
    title: `${engine.name}: widget: ${each.title}`,
  }));
  const wanted = titled.filter(({ title }) => title.includes(only));
  const library = `${root}dist`;
  if (!existsSync(`${library}/widget.js`)) {
    const details = ["the library is not built: run `npm run build:library`"];
    for (const { title } of wanted) tests.add({ title, status: "skipped", details, elapsed: 0 });
    return;
  }
  const site = await startWidgetSite(library);
  const tab = new Tab(engine, site);
  try {
    for (const each of wanted) {
      const started = performance.now();
      const details = await tryCase(each, { tab, site }).catch((error: unknown) => [messageOf(error)]);
      site.mend();
      const status = details.length === 0 ? "passed" : "failed";
      tests.add({ title: each.title, status, details, elapsed: performance.now() - started });
    }
  } finally {
    await tab.close();
    await site.close();
  }
}

async function tryCase(
  tried: WidgetCase,
  { tab, site }: { readonly tab: Tab; readonly site: WidgetSite },
): Promise<readonly string[]> {
  const page = await tab.show(tried);
  return tried.run({ page, site, cell: (id) => new DrivenCell(page, id) });
}

/** The page of the cases that are tried one after the other. */
class Tab {
  readonly #engine: Engine;
  readonly #site: WidgetSite;
  #shown: { readonly tried: WidgetCase; readonly page: EnginePage } | undefined;

  constructor(engine: Engine, site: WidgetSite) {
    this.#engine = engine;
    this.#site = site;
  }

  async show(tried: WidgetCase): Promise<EnginePage> {
    const { on, policy, failing } = tried;
    const shown = this.#shown;
    if (shown?.tried.on === on && !isAlone(tried) && !isAlone(shown.tried)) return shown.page;
    await this.close();
    if (failing !== undefined) this.#site.fail(failing.script, failing.how);
    const page = await this.#engine.openPage(this.#site.page(on, await policy?.(this.#site.origin)));
    this.#shown = { tried, page };
    return page;
  }

  async close(): Promise<void> {
    await this.#shown?.page.close();
    this.#shown = undefined;
  }
}

function isAlone({ policy, failing }: WidgetCase): boolean {
  return policy !== undefined || failing !== undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
