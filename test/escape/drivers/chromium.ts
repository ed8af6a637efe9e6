import { chromium } from "@playwright/test";

import { chromiumFlags, findChromium, installAdvice } from "../../../.ci/browser.mjs";
import { beforeLong } from "../../engines/drivers/before-long.js";
import { EngineMissingError } from "../../engines/drivers/index.js";
import type { Driver } from "./driver.js";

/**
 * Chromium with an ear for what other drivers do not tell.
 * @param netLog - file for Chromium's own log of its network, whole once the driver is closed.
 * @throws {EngineMissingError}
 */
export async function chromiumDriver(netLog?: string): Promise<Driver> {
  const executablePath = await findChromium();
  if (executablePath === null) throw new EngineMissingError("chromium", installAdvice.chromium);
  const process = await chromium.launchServer({
    executablePath,
    // With QUIC off there is no WebTransport whose refusal would say anything.
    args: [
      ...chromiumFlags.filter((flag) => flag !== "--disable-quic"),
      ...(netLog === undefined ? [] : [`--log-net-log=${netLog}`]),
    ],
  });
  const browser = await chromium.connect(process.wsEndpoint());
  return {
    name: "chromium",
    version: `Chromium ${browser.version()}`,
    openPage: async (url) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      const events: string[] = [];
      page.on("dialog", (dialog) => {
        events.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("download", (download) => {
        events.push("a download");
        void download.cancel();
      });
      context.on("page", (opened) => {
        events.push("a window");
        void opened.close();
      });
      page.on("crash", () => {
        events.push("the page crashed");
      });
      await page.goto(url);
      return {
        evaluate: (expression) => page.evaluate(expression),
        takeEvents: () => events.splice(0),
        close: () => context.close(),
      };
    },
    close: async () => {
      await beforeLong(browser.close());
      if (netLog !== undefined) await beforeLong(process.close());
      // Thousands of workers do not hear that they are to end.
      await process.kill();
    },
  };
}
