import { chromium, type BrowserContext, type CDPSession, type Page } from "@playwright/test";

import { playwrightFlags, findChromium, installAdvice, withoutOptimizing } from "../../../.ci/browser.mjs";
import { ANSWERS } from "../../timeouts.mjs";
import { EngineMissingError, type Engine, type EnginePage, type LaunchOptions, type PageUsage } from "./engine.js";
import { asText, fromText } from "./evaluation.js";
import { goBack } from "./navigation.js";

export async function launchChromium({ profileFolder, optimizes = true }: LaunchOptions): Promise<Engine> {
  const executablePath = await findChromium();
  if (executablePath === null) throw new EngineMissingError("chromium", installAdvice.chromium);
  const launch = {
    executablePath,
    args: optimizes ? playwrightFlags : [...playwrightFlags, withoutOptimizing],
    // Playwright turns the back/forward cache off, which people's browsers have.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  };
  const context =
    profileFolder === undefined
      ? await (await chromium.launch(launch)).newContext()
      : await chromium.launchPersistentContext(profileFolder, launch);
  context.setDefaultTimeout(ANSWERS);
  return {
    name: "chromium",
    version: `Chromium ${context.browser()?.version() ?? "of unknown version"}`,
    openPage: async (url, { onDialog, counts = false } = {}) => {
      const page = await context.newPage();
      if (onDialog !== undefined) {
        page.on("dialog", (dialog) => {
          onDialog(dialog.message());
          void dialog.dismiss();
        });
      }
      const usage = counts ? await counting(await context.newCDPSession(page)) : undefined;
      await page.goto(url);
      return usage === undefined ? drive(page) : { ...drive(page), usage };
    },
    windows: () => Promise.resolve(context.pages().length),
    close: () => closeBrowser(context),
  };
}

/** A context with a profile of its own on disk ends with its browser; another one leaves it running. */
async function closeBrowser(context: BrowserContext): Promise<void> {
  const browser = context.browser();
  await context.close();
  await browser?.close();
}

function drive(page: Page): EnginePage {
  return {
    evaluate: async (expression) => fromText(await page.evaluate(asText(expression))),
    click: (selector) => page.click(piercing(selector)),
    type: (selector, text) => page.locator(piercing(selector)).first().pressSequentially(text),
    goto: async (url) => {
      await page.goto(url);
    },
    back: () => goBack((expression) => page.evaluate(expression)),
    bringToFront: () => page.bringToFront(),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  };
}

/** Playwright looks into shadow trees by itself. */
function piercing(selector: string): string {
  return selector.replaceAll(" >>> ", " >> ");
}

/** Begins to count what the page uses. */
async function counting(session: CDPSession): Promise<() => Promise<PageUsage>> {
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const before = await metrics();
    await session.send("HeapProfiler.collectGarbage");
    const after = await metrics();
    return {
      scriptTime: (before.get("ScriptDuration") ?? NaN) * 1000,
      taskTime: (before.get("TaskDuration") ?? NaN) * 1000,
      heap: after.get("JSHeapUsedSize") ?? NaN,
    };
  };
  async function metrics(): Promise<Map<string, number>> {
    const answer = await session.send("Performance.getMetrics");
    return new Map(answer.metrics.map(({ name, value }) => [name, value]));
  }
}
