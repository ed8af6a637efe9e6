import { setTimeout as delay } from "node:timers/promises";

import { z } from "zod";

import type { Engine } from "../engines/drivers/index.js";
import { LONG_TEST } from "../timeouts.mjs";
import type { CheckResult } from "./result.js";
import { parseResult } from "./read-results.js";

/** Milliseconds between two looks at the page. */
const PAUSE = 500;

const News = z.object({ state: z.string(), text: z.string() });

/**
 * Runs the check in an engine as a person would, with the wheels beside the page, and takes the JSON that the page offers.
 *
 * @throws {Error} where it does not come to its end.
 */
export async function runInEngine(engine: Engine, url: string, say: (line: string) => void): Promise<CheckResult> {
  const page = await engine.openPage(`${url}packages-check.html?source=wheels`);
  await page.click("#start");
  const begun = performance.now();
  let said = "";
  for (;;) {
    const { state, text } = News.parse(
      await page.evaluate(
        `({ state: document.querySelector("main").dataset.state, text: document.querySelector("[role=status]").textContent })`,
      ),
    );
    if (text !== said) say(`  ${text}`);
    said = text;
    if (state === "done") break;
    if (performance.now() - begun > LONG_TEST) throw new Error(`The check hangs in ${engine.version}, after: ${text}`);
    await delay(PAUSE);
  }
  const result = parseResult(z.string().parse(await page.evaluate(`document.querySelector("textarea").value`)));
  await page.close();
  if (typeof result === "string") throw new Error(`The result of ${engine.version} is none: ${result}`);
  // The driver knows better than the user agent, which in WebKitGTK has no version.
  return { ...result, engine: shortVersion(engine) };
}

/** `Chromium 156`; WebKitGTK counts by its second number. */
function shortVersion({ name, version }: Engine): string {
  const [, title = version, major = "", minor = ""] = /^(\S+) (\d+)(\.\d+)?/.exec(version) ?? [];
  return `${title} ${major}${name === "webkitgtk" ? minor : ""}`.trim();
}
