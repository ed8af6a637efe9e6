import { launch, type Page } from "puppeteer-core";

import { findFirefox, installAdvice } from "../../../.ci/browser.mjs";
import { SUITE } from "../../timeouts.mjs";
import { beforeLong } from "./before-long.js";
import { EngineMissingError, type Engine, type EnginePage, type LaunchOptions } from "./engine.js";
import { asText, fromText } from "./evaluation.js";
import { goBack } from "./navigation.js";

/** Firefox over WebDriver BiDi: Playwright's Firefox is a patched build, this is the one that people have. */
export async function launchFirefox({ optimizes = true, downloadFolder }: LaunchOptions): Promise<Engine> {
  const executablePath = findFirefox();
  if (executablePath === null) throw new EngineMissingError("firefox", installAdvice.firefox);
  // A suite answers once, after minutes; the limit is for whole suites.
  const browser = await launch({
    browser: "firefox",
    executablePath,
    headless: true,
    protocolTimeout: SUITE,
    extraPrefsFirefox: {
      "javascript.options.wasm_optimizingjit": optimizes,
      // A process to each site, as people have it: puppeteer asks for one to all.
      "fission.webContentIsolationStrategy": 1,
      ...(downloadFolder === undefined
        ? {}
        : { "browser.download.folderList": 2, "browser.download.dir": downloadFolder }),
    },
    // As in the other two engines, more or less: a window in which the demo shows all its parts.
    defaultViewport: { width: 1280, height: 800 },
  });
  const version = await browser.version();
  return {
    name: "firefox",
    version: version.replace(/^firefox\//i, "Firefox "),
    openPage: async (url, { onDialog } = {}) => {
      const page = await browser.newPage();
      if (onDialog !== undefined) {
        page.on("dialog", (dialog) => {
          onDialog(dialog.message());
          void dialog.dismiss();
        });
      }
      await page.goto(url);
      return drive(page);
    },
    windows: async () => (await browser.pages()).length,
    close: async () => {
      const process = browser.process();
      await beforeLong(browser.close());
      // A page that hangs does not hear that it is to close.
      process?.kill("SIGKILL");
    },
  };
}

function drive(page: Page): EnginePage {
  return {
    evaluate: async (expression) => fromText(await page.evaluate(asText(expression))),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.type(selector, text),
    goto: async (url) => {
      await page.goto(url);
    },
    back: () => goBack((expression) => page.evaluate(expression)),
    bringToFront: () => page.bringToFront(),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  };
}
