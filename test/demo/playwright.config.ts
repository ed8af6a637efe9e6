import { defineConfig } from "@playwright/test";

import { playwrightFlags, findChromium, withoutOptimizingScripts } from "../../.ci/browser.mjs";
import { SHOWS, TEST } from "../timeouts.mjs";

const executablePath = await findChromium();

/** The demo as it was built, served from a path below the root as GitHub Pages does. `npm run test:demo` builds first. */
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results/demo",
  globalSetup: "./serve-demo.ts",
  workers: 2,
  fullyParallel: true,
  timeout: TEST,
  expect: { timeout: SHOWS },
  reporter: "list",
  use: {
    browserName: "chromium",
    // A new one for each test takes a fifth of the time of all. Playwright empties storage and caches in between.
    reuseContext: true,
    launchOptions: {
      args: [...playwrightFlags, withoutOptimizingScripts],
      ...(executablePath === null ? {} : { executablePath }),
    },
    screenshot: "only-on-failure",
    ...(process.env.VITRINE_DEMO_URL === undefined ? {} : { baseURL: process.env.VITRINE_DEMO_URL }),
  },
});
