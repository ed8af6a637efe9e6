import { chromium, type BrowserContext, type Page } from "@playwright/test";

import { playwrightFlags, findChromium, installAdvice, withoutOptimizing } from "../../../.ci/browser.mjs";
import { ANSWERS } from "../../timeouts.mjs";
import { EngineMissingError, type Engine, type EnginePage, type LaunchOptions } from "./engine.js";
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
    openPage: async (url, { onDialog } = {}) => {
      const page = await context.newPage();
      if (onDialog !== undefined) {
        page.on("dialog", (dialog) => {
          onDialog(dialog.message());
          void dialog.dismiss();
        });
      }
      await page.goto(url);
      return drive(page);
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
