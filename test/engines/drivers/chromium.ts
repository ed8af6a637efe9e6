import { chromium, type Page } from "@playwright/test";

import { chromiumFlags, findChromium, installAdvice } from "../../../.ci/browser.mjs";
import { EngineMissingError, type Engine, type EnginePage } from "./engine.js";
import { asText, fromText } from "./evaluation.js";

export async function launchChromium(): Promise<Engine> {
  const executablePath = await findChromium();
  if (executablePath === null) throw new EngineMissingError("chromium", installAdvice.chromium);
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  const context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  return {
    name: "chromium",
    version: `Chromium ${browser.version()}`,
    openPage: async (url) => {
      const page = await context.newPage();
      await page.goto(url);
      return drive(page);
    },
    close: () => browser.close(),
  };
}

function drive(page: Page): EnginePage {
  return {
    evaluate: async (expression) => fromText(await page.evaluate(asText(expression))),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.locator(selector).first().pressSequentially(text),
    goto: async (url) => void (await page.goto(url)),
    back: async () => void (await page.goBack()),
    bringToFront: () => page.bringToFront(),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  };
}
