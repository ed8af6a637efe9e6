import { existsSync } from "node:fs";

import { root } from "../build-suite.js";
import type { Engine, EnginePage } from "../drivers/index.js";
import type { Tests } from "../tests.js";
import { widgetCases } from "./cases.js";
import { DrivenCell } from "./cell.js";
import { startWidgetSite } from "./site.js";

/** Tries the cells of the built library. */
export async function runWidget(engine: Engine, { tests, only }: { tests: Tests; only: string }): Promise<void> {
  const titled = widgetCases.map((each) => ({ ...each, title: `${engine.name}: widget: ${each.title}` }));
  const wanted = titled.filter(({ title }) => title.includes(only));
  const library = `${root}dist`;
  if (!existsSync(`${library}/widget.js`)) {
    const details = ["the library is not built: run `npm run build:library`"];
    for (const { title } of wanted) tests.add({ title, status: "skipped", details, elapsed: 0 });
    return;
  }
  const site = await startWidgetSite(library);
  let open: { readonly on: string; readonly page: EnginePage } | undefined;
  try {
    for (const { title, on, run } of wanted) {
      const started = performance.now();
      let details: readonly string[];
      try {
        if (open?.on !== on) {
          await open?.page.close();
          open = { on, page: await engine.openPage(site.page(on)) };
        }
        const { page } = open;
        details = await run({ page, site, cell: (id) => new DrivenCell(page, id) });
      } catch (error) {
        details = [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
      }
      const status = details.length === 0 ? "passed" : "failed";
      tests.add({ title, status, details, elapsed: performance.now() - started });
    }
  } finally {
    await open?.page.close();
    await site.close();
  }
}
