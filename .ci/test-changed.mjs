#!/usr/bin/env node
// `npm run test:changed`: within about a minute, what a change is most likely to break. It prints what it leaves to
// `npm test`.
//
//   npm run test:changed              what is not committed, else the last commit
//   npm run test:changed -- REF       everything since REF

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

import { planFor } from "./changed-plan.mjs";
import { runInLanes } from "./lanes.mjs";
import { ensureDependencies, root } from "./set-up.mjs";
import { bin, Suites } from "./suites.mjs";
import { Tally } from "./tally.mjs";

ensureDependencies();

const started = Date.now();
const base = process.argv[2] ?? (git("status", "--porcelain").length > 0 ? "HEAD" : "HEAD~1");
const changed = [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
const files = changed.filter((file) => existsSync(`${root}/${file}`));
console.log(`── ${changed.length} files changed since ${base}`);

const tally = new Tally();
const suites = new Suites(tally);
const plan = planFor(changed);
const sources = files.filter((file) => /\.(ts|mts|mjs|js)$/.test(file));

/** @type {import("./lanes.mjs").Job[]} */
const jobs = [];
if (plan.engineCase !== null) {
  const run = ["test/engines/run.mjs", "--page", "plain", "--only", plan.engineCase];
  job("A session in each engine", (name) => suites.check(name, run));
}
if (plan.demoSpecs.length > 0) {
  job("Demo build", (name) => suites.check(name, [bin("vite/bin/vite.js"), "build"]));
  job("Demo", (name) => suites.playwright(name, "test/demo", { files: plan.demoSpecs }), ["Demo build"]);
}
if (plan.browserFiles.length > 0) {
  job("Browser tests", (name) => suites.vitest(name, ["browser"], { files: plan.browserFiles }));
}
if (plan.ownPageFiles.length > 0) {
  const projects = ["browser-fresh", "browser-isolated"];
  job("Browser tests on fresh and isolated pages", (name) =>
    suites.vitest(name, projects, { files: plan.ownPageFiles }),
  );
}
if (plan.unitPaths.length > 0) {
  job("Unit tests", (name) => suites.vitest(name, ["unit"], { files: plan.unitPaths }));
}
if (sources.length > 0) {
  job("Types", (name) => suites.check(name, [".ci/check-types.mjs"]));
  job("Lint", (name) => suites.check(name, [bin("oxlint/bin/oxlint"), ...sources]));
  job("Imports", (name) => suites.check(name, [".ci/check-imports.mjs"]));
}
if (files.some((file) => /\.pyi?$/.test(file))) {
  job("Python rules, format and types", (name) => suites.check(name, [".ci/check-python.mjs"]));
}
if (files.length > 0) {
  const flags = ["--check", "--no-error-on-unmatched-pattern"];
  job("Format", (name) => suites.check(name, [bin("oxfmt/bin/oxfmt"), ...flags, ...files]));
}

await runInLanes(jobs, 2);
suites.close();
console.log(`\nLeft to npm test:\n${plan.left.map((line) => `  - ${line}`).join("\n")}`);
process.exitCode = tally.failed === 0 ? 0 : 1;
tally.print((Date.now() - started) / 1000);

/** @param {(name: string) => Promise<void>} run */
function job(/** @type {string} */ name, run, /** @type {string[]} */ after = []) {
  jobs.push({ name, after, run: () => run(name) });
}

/** The lines that git prints. */
function git(/** @type {string[]} */ ...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}
