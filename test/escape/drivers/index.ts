import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { EngineMissingError, launchEngine, type EngineName } from "../../engines/drivers/index.js";
import { chromiumDriver } from "./chromium.js";
import { DialogError, type Driver } from "./driver.js";

export { chromiumDriver } from "./chromium.js";
export { DialogError, type DrivenPage, type Driver } from "./driver.js";

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

/** Dialogs are told of; downloads and windows are looked for, since these drivers do not tell. */
async function plainDriver(name: EngineName): Promise<Driver> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-browser-"));
  const downloads = join(folder, "downloads");
  await mkdir(downloads);
  const engine = await launchEngine(name, { downloadFolder: downloads, optimizes: false });
  const events: string[] = [];
  const seen = new Set<string>();
  // Firefox begins with an empty tab, WebKitGTK with one that the first page gets.
  let opened = await engine.windows();
  return {
    name,
    version: engine.version,
    openPage: async (url) => {
      const before = await engine.windows();
      const page = await engine.openPage(url, {
        onDialog: (text) => {
          events.push(`dialog: ${text}`);
        },
      });
      opened += (await engine.windows()) - before;
      return {
        evaluate: async (expression) => {
          const before = events.length;
          try {
            return await page.evaluate(expression);
          } catch (error) {
            throw events.length > before ? new DialogError("A dialog came up.", { cause: error }) : error;
          }
        },
        takeEvents: async () => {
          for (const file of await readdir(downloads)) {
            if (!seen.has(file)) events.push(`a download: ${file}`);
            seen.add(file);
          }
          const windows = await engine.windows();
          if (windows > opened) events.push("a window");
          opened = windows;
          return events.splice(0);
        },
        close: async () => {
          await page.close();
          opened = await engine.windows();
        },
      };
    },
    close: async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
