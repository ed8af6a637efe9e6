#!/usr/bin/env node
// `npm test`: sets up what is missing, checks everything, and says on its last line how many tests and checks passed.
//
//   npm test -- --titles FILE    also writes every title, for compare-titles.mjs

import { parseArgs } from "node:util";

import { ensureChromium, ensureFirefox, ensureWebKit, installAdvice } from "./browser.mjs";
import { runInLanes } from "./lanes.mjs";
import { ensureDependencies } from "./set-up.mjs";
import { bin, Suites } from "./suites.mjs";
import { Tally } from "./tally.mjs";

const { values: options } = parseArgs({ options: { titles: { type: "string" } } });

ensureDependencies();

const started = Date.now();
const tally = new Tally();
const suites = new Suites(tally);
const tsc = bin("typescript/bin/tsc");
const vite = bin("vite/bin/vite.js");

/** @type {import("./lanes.mjs").Job[]} */
const checks = [
  check("Demo build", [vite, "build"]),
  check(
    "Library build",
    [vite, "build", "--mode", "library"],
    [vite, "build", "--mode", "single-file"],
    [vite, "build", "--mode", "command-line"],
    [tsc, "-p", ".ci/tsconfig.types.json"],
  ),
  check("Types", [".ci/check-types.mjs"]),
  { ...check("Size budget", [".ci/check-size.mjs"]), after: ["Demo build", "Library build"] },
  check("Format", [bin("oxfmt/bin/oxfmt"), "--check"]),
  check("Python rules, format and types", [".ci/check-python.mjs"]),
  check("Imports", [".ci/check-imports.mjs"]),
  check("Samples of the documents", [".ci/docs.mjs", "--check"]),
  check("Packages document", ["test/packages-check/run.mjs", "--check"]),
  check("Lint", [bin("oxlint/bin/oxlint")]),
];
const unitTests = { name: "Unit tests", run: () => suites.vitest("Unit tests", ["unit"]) };

/** @type {import("./lanes.mjs").Job[]} */
const browserSuites = [
  { name: "Browser tests", run: () => suites.vitest("Browser tests", ["browser"]) },
  ...checks,
  {
    name: "Browser tests on fresh and isolated pages",
    run: () => suites.vitest("Browser tests on fresh and isolated pages", ["browser-fresh", "browser-isolated"]),
  },
  unitTests,
  { name: "Demo", after: ["Demo build"], run: () => suites.playwright("Demo", "test/demo") },
  { name: "Faults", run: () => suites.vitest("Faults", ["faults"]) },
  { name: "Load, in brief", run: () => suites.vitest("Load, in brief", ["load-brief"]) },
  { name: "Evaluation, scripted", run: () => suites.vitest("Evaluation, scripted", ["eval"]) },
  { name: "Package", after: ["Library build"], run: () => suites.playwright("Package", "test/package") },
  { name: "Escape suite", alone: true, run: () => suites.vitest("Escape suite", ["escape"]) },
  { name: "Engines", alone: true, after: ["Demo build", "Library build"], run: () => suites.engines("Engines") },
];

if (await hasChromium()) {
  await runInLanes(browserSuites, 2);
} else {
  await runInLanes([...checks, unitTests], 2);
  for (const { name } of browserSuites.filter((job) => !checks.includes(job) && job !== unitTests)) {
    tally.count(false, `${name} (no Chromium)`);
  }
}

suites.close();
if (options.titles !== undefined) tally.writeTitles(options.titles);
if (suites.pendingRows.length > 0) {
  console.log(`rows pending, each engine says why: ${suites.pendingRows.join(", ")}`);
}
process.exitCode = tally.failed === 0 ? 0 : 1;
tally.print((Date.now() - started) / 1000);

/** @returns {import("./lanes.mjs").Job} */
function check(/** @type {string} */ name, /** @type {string[][]} */ ...commands) {
  return { name, run: () => suites.check(name, ...commands) };
}

/** Installs the browsers that are missing, where it can. Only Chromium is needed. */
async function hasChromium() {
  console.log("── Chromium");
  try {
    console.log(await ensureChromium());
    tally.count(true, "Chromium");
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    tally.count(false, "Chromium");
    return false;
  }
  if (ensureFirefox() === null) console.log(`\n── No Firefox: to test in it as well, ${installAdvice.firefox}`);
  if (ensureWebKit() === null) console.log(`\n── No WebKitGTK: to test in it as well, ${installAdvice.webkitgtk}`);
  return true;
}
