import { defineConfig } from "@playwright/test";

import { playwrightFlags, findChromium } from "../../.ci/browser.mjs";
import { ANSWERS, TEST } from "../timeouts.mjs";

const executablePath = await findChromium();

/** The library as it would be published. `npm run test:package` builds it first. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/package",
  workers: 1,
  timeout: TEST,
  expect: { timeout: ANSWERS },
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: { args: playwrightFlags, ...(executablePath === null ? {} : { executablePath }) },
  },
});
