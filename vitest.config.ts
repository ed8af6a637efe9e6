import { playwright } from "@vitest/browser-playwright";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

import { LONG_TEST, SHOWS, TEST } from "./test/timeouts.mjs";
import { chromiumFlags, findChromium } from "./.ci/browser.mjs";
import { webMcpCommands } from "./test/browser/outward/web-mcp-commands.js";
import { heapCommands } from "./test/browser/session/heap-commands.js";

const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

const limits = { testTimeout: TEST, hookTimeout: TEST, expect: { poll: { timeout: SHOWS } } };

/** Suites that run both with and without cross-origin isolation. */
const everywhere = ["test/browser/bridge/**/*.test.ts"];

export default defineConfig(async () => {
  const executablePath = await findChromium();
  const chromium = playwright({
    // `document.modelContext` is behind a flag.
    launchOptions: {
      args: [...chromiumFlags, "--enable-features=WebMCP"],
      ...(executablePath === null ? {} : { executablePath }),
    },
  });

  const inChromium = (
    name: string,
    options: { headers: Record<string, string>; include: string[]; exclude: string[] },
  ) =>
    ({
      extends: "./vite.config.ts",
      server: { headers: options.headers },
      test: {
        name,
        include: options.include,
        exclude: options.exclude,
        ...limits,
        globalSetup: ["test/servers/global-setup.ts"],
        browser: {
          enabled: true,
          headless: true,
          provider: chromium,
          commands: { ...webMcpCommands, ...heapCommands },
          screenshotFailures: false,
          instances: [{ browser: "chromium" }],
        },
      },
    }) satisfies TestProjectInlineConfiguration;

  return {
    test: {
      // Interpreters measure time; two at once on two cores measure each other.
      fileParallelism: false,
      projects: [
        {
          extends: "./vite.config.ts",
          test: { name: "unit", environment: "node", include: ["test/unit/**/*.test.ts"], ...limits },
        },
        {
          // Vitest drives no WebKitGTK and cannot leave its own page; these tests start the browsers themselves.
          extends: "./vite.config.ts",
          test: {
            name: "faults",
            environment: "node",
            include: ["test/faults/**/*.test.ts", "test/py/**/*.test.ts"],
            ...limits,
          },
        },
        {
          extends: "./vite.config.ts",
          test: {
            name: "escape",
            environment: "node",
            include: ["test/escape/**/*.test.ts"],
            globalSetup: ["test/escape/global-setup.ts"],
            // The first test of a batch waits for all of it.
            testTimeout: LONG_TEST,
            hookTimeout: LONG_TEST,
          },
        },
        {
          extends: "./vite.config.ts",
          test: { name: "eval", environment: "node", include: ["test/eval/**/*.test.ts"], ...limits },
        },
        inChromium("browser", {
          headers: {},
          include: ["test/browser/**/*.test.ts"],
          exclude: ["**/*.isolated.test.ts"],
        }),
        inChromium("browser-isolated", {
          headers: isolation,
          include: ["test/browser/**/*.isolated.test.ts", ...everywhere],
          exclude: [],
        }),
      ],
    },
  };
});
