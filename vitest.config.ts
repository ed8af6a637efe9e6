import { playwright } from "@vitest/browser-playwright";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

import { LONG_TEST, SHOWS, TEST } from "./test/timeouts.mjs";
import { playwrightFlags, findChromium, withoutOptimizing } from "./.ci/browser.mjs";
import { webMcpCommands } from "./test/browser/outward/web-mcp-commands.js";
import { heapCommands } from "./test/browser/session/heap-commands.js";

const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

const limits = { testTimeout: TEST, hookTimeout: TEST, expect: { poll: { timeout: SHOWS } } };

/** Suites that run both with and without cross-origin isolation. */
const everywhere = ["test/browser/bridge/**/*.test.ts"];

/** How a page starts its first interpreter, and what happens when its site's data are cleared: a page of its own for each. */
const onFreshPages = ["test/browser/executor/**/*.test.ts", "test/browser/storage/**/*.test.ts"];

/** `npm run test:stalls`: what takes the whole machine, for minutes. */
const stalls = "test/escape/stalls/*.test.ts";

/** `npm run test:twins`: `npm test` has them in Chromium alone. */
const twins = "test/escape/twins/*.test.ts";

/** `npm run test:projects`: `npm test` has one wrong solution of each project. */
const projects = "test/browser/eval/every/*.test.ts";

/** `npm run test:load`: `npm test` has the cheapest of them in Chromium. */
const loads = "test/load/engines/*.test.ts";

export default defineConfig(async () => {
  const executablePath = await findChromium();
  const chromium = playwright({
    launchOptions: {
      args: [
        ...playwrightFlags,
        // `document.modelContext` is behind a flag.
        "--enable-features=WebMCP",
        withoutOptimizing,
      ],
      ...(executablePath === null ? {} : { executablePath }),
    },
  });

  const inChromium = (
    name: string,
    options: {
      headers?: Record<string, string>;
      include: string[];
      exclude?: string[];
      /** Whether each file has a page of its own. Else they share one, and what it has loaded. */
      isolate?: boolean;
      /** Pages at a time. */
      maxWorkers?: number;
    },
  ) =>
    ({
      extends: "./vite.config.ts",
      server: { headers: options.headers ?? {} },
      // The samples of the documents, as they are printed.
      resolve: { alias: { vitrine: `${import.meta.dirname}/src/index.ts` } },
      test: {
        name,
        include: options.include,
        exclude: options.exclude ?? [],
        isolate: options.isolate ?? false,
        maxWorkers: options.maxWorkers ?? 1,
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
      maxWorkers: 2,
      projects: [
        {
          extends: "./vite.config.ts",
          test: {
            name: "unit",
            environment: "node",
            include: ["test/unit/**/*.test.ts"],
            // The style sheet of a batch of the evaluation is read as a text; other style sheets are empty here.
            css: { include: [/\.css\?raw$/] },
            // They are pure: what they import is loaded once for all files of a thread.
            pool: "threads",
            isolate: false,
            ...limits,
          },
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
            exclude: [stalls, twins],
            globalSetup: ["test/escape/global-setup.ts"],
            // The first test of a batch waits for all of it.
            testTimeout: LONG_TEST,
            hookTimeout: LONG_TEST,
          },
        },
        {
          extends: "./vite.config.ts",
          test: {
            name: "stalls",
            environment: "node",
            include: [stalls],
            globalSetup: ["test/escape/global-setup.ts"],
            // Each takes what the machine has.
            fileParallelism: false,
            ...limits,
          },
        },
        {
          extends: "./vite.config.ts",
          test: {
            name: "twins",
            environment: "node",
            include: [twins],
            globalSetup: ["test/escape/global-setup.ts"],
            testTimeout: LONG_TEST,
            hookTimeout: LONG_TEST,
          },
        },
        {
          extends: "./vite.config.ts",
          test: {
            name: "load",
            environment: "node",
            include: [loads],
            globalSetup: ["test/load/global-setup.ts"],
            // Each takes what the machine has.
            fileParallelism: false,
            ...limits,
          },
        },
        {
          extends: "./vite.config.ts",
          test: {
            name: "load-brief",
            environment: "node",
            include: ["test/load/*.test.ts"],
            globalSetup: ["test/load/global-setup.ts"],
            ...limits,
          },
        },
        {
          extends: "./vite.config.ts",
          test: { name: "eval", environment: "node", include: ["test/eval/**/*.test.ts"], ...limits },
        },
        inChromium("browser", {
          include: ["test/browser/**/*.test.ts"],
          exclude: ["**/*.isolated.test.ts", ...onFreshPages, projects],
          maxWorkers: 2,
        }),
        inChromium("projects", { include: [projects], maxWorkers: 2 }),
        inChromium("browser-fresh", { include: onFreshPages, isolate: true }),
        inChromium("browser-isolated", {
          headers: isolation,
          include: ["test/browser/**/*.isolated.test.ts", ...everywhere],
        }),
      ],
    },
  };
});
