import { EngineMissingError, launchEngine, type EngineName } from "../../engines/drivers/index.js";
import { chromiumDriver } from "./chromium.js";
import type { Driver } from "./driver.js";

export { chromiumDriver } from "./chromium.js";
export type { DrivenPage, Driver } from "./driver.js";

/** A started browser, or why there is none. */
export async function startDriver(name: EngineName): Promise<Driver | string> {
  try {
    return name === "chromium" ? await chromiumDriver() : await plainDriver(name);
  } catch (error) {
    if (error instanceof EngineMissingError) return error.message;
    throw error;
  }
}

/** Starts a browser that is there. */
export async function launchDriver(name: EngineName): Promise<Driver> {
  const driver = await startDriver(name);
  if (typeof driver === "string") throw new Error(driver);
  return driver;
}

/** Where dialogs, downloads and windows are not seen; a dialog stops the page, which is. */
async function plainDriver(name: EngineName): Promise<Driver> {
  const engine = await launchEngine(name);
  return {
    name,
    version: engine.version,
    openPage: async (url) => {
      const page = await engine.openPage(url);
      return {
        evaluate: (expression) => page.evaluate(expression),
        takeEvents: () => [],
        close: () => page.close(),
      };
    },
    close: () => engine.close(),
  };
}
