#!/usr/bin/env node
// `npm test`: sets up what is missing, checks everything, and says on its last line how many tests and checks passed.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { ensureChromium, ensureFirefox, ensureWebKit, installAdvice } from "./browser.mjs";
import { ensureDependencies, root } from "./set-up.mjs";

ensureDependencies();

/** Milliseconds for one runner, more than twice what it takes: a browser that hangs is a failure, and not the end of all. */
const LIMIT = 3_000_000;

const started = Date.now();
const reports = mkdtempSync(join(tmpdir(), "vitrine-test-"));
/** @typedef {{flags?: string[], stdio?: "pipe" | undefined}} RunnerOptions */

/** @typedef {{title: string, details: string}} Failure */

/** @type {{passed: number, failed: number, failures: Failure[], skipped: string[], pending: Set<string>}} */
const tally = { passed: 0, failed: 0, failures: [], skipped: [], pending: new Set() };

const hasChromium = await check("Chromium", () => ensureChromium());

if (ensureFirefox() === null) console.log(`\n── No Firefox: to test in it as well, ${installAdvice.firefox}`);
if (ensureWebKit() === null) console.log(`\n── No WebKitGTK: to test in it as well, ${installAdvice.webkitgtk}`);

const checks = [
  ["Types", [bin("typescript/bin/tsc"), "-p", "."], [bin("typescript/bin/tsc"), "-p", "worker"]],
  ["Types of .ci", [bin("typescript/bin/tsc"), "-p", ".ci"]],
  ["Demo build", [bin("vite/bin/vite.js"), "build"]],
  [
    "Library build",
    [bin("vite/bin/vite.js"), "build", "--mode", "library"],
    [bin("typescript/bin/tsc"), "-p", ".ci/tsconfig.types.json"],
  ],
  ["Size budget", [".ci/check-size.mjs"]],
  ["Format", [bin("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "."]],
  ["Python rules, format and types", [".ci/check-python.mjs"]],
  ["Lint", [bin("eslint/bin/eslint.js"), "."]],
];

if (hasChromium) {
  // Two at a time, about equally long: a browser with one tab leaves half of two cores, and the rest use one.
  await Promise.all([
    vitest("Browser tests", ["browser", "browser-isolated"]),
    quietSteps(checks)
      .then(() => playwright("Package", "test/package", { stdio: "pipe" }))
      .then(() => playwright("Demo", "test/demo", { flags: ["--workers=1"], stdio: "pipe" }))
      .then(() => vitest("Evaluation, scripted", ["eval"], { stdio: "pipe" }))
      // In Node alone: nothing of theirs measures time.
      .then(() => vitest("Unit tests", ["unit"], { flags: ["--fileParallelism", "--maxWorkers=2"], stdio: "pipe" })),
  ]);
  // Alone: they sleep most of the time, and must be awake in time when they are not.
  await vitest("Faults", ["faults"]);
  // Two engines at a time: a flood in one that makes another late is made again alone.
  await vitest("Escape suite", ["escape"], { flags: ["--fileParallelism", "--maxWorkers=2"] });
  await engines("Engines");
} else {
  await quietSteps(checks);
  await vitest("Unit tests", ["unit"]);
  for (const suite of [
    "Browser tests",
    "Evaluation, scripted",
    "Faults",
    "Escape suite",
    "Demo",
    "Package",
    "Engines",
  ]) {
    fail(`${suite} (no Chromium)`);
  }
}

rmSync(reports, { recursive: true, force: true });
for (const name of tally.skipped) console.log(`skipped: ${name}`);
if (tally.pending.size > 0) console.log(`rows pending, each engine says why: ${[...tally.pending].join(", ")}`);
for (const { title, details } of tally.failures) console.log(`failed: ${title}\n${details}`.trimEnd());
console.log(`${Math.round((Date.now() - started) / 1000)} s`);
process.exitCode = tally.failed === 0 ? 0 : 1;
console.log(`${tally.passed} passed, ${tally.failed} failed`);

/** Checks, one after the other; later steps need what the builds make. */
async function quietSteps(steps) {
  for (const [name, ...commands] of steps) await quietStep(name, commands);
}

/** One check whose output is shown when it is over, so that two do not mix. */
async function quietStep(name, commands) {
  const begun = Date.now();
  let output = "";
  let ok = true;
  for (const command of commands) {
    const result = await node(command, { stdio: "pipe" });
    output += result.output;
    ok &&= result.code === 0;
  }
  console.log(`\n── ${name}: ${ok ? "ok" : "failed"} (${seconds(begun)})`);
  if (!ok) console.log(output.trim());
  count(ok, name);
}

async function check(name, action) {
  console.log(`\n── ${name}`);
  try {
    console.log(await action());
    count(true, name);
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    count(false, name);
    return false;
  }
}

async function vitest(name, projects, { flags = [], stdio } = /** @type {RunnerOptions} */ ({})) {
  const report = join(reports, `${projects[0]}.json`);
  const command = [
    bin("vitest/vitest.mjs"),
    "run",
    "--allowOnly=false",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...projects.flatMap((project) => ["--project", project]),
    ...flags,
  ];
  const { code } = await runner(name, command, { stdio });
  const tests = readReport(report)?.testResults.flatMap((file) =>
    file.assertionResults.length === 0 && file.status === "failed"
      ? [{ status: "failed", title: `${relative(root, file.name)} (did not run)` }]
      : file.assertionResults.map(({ status, fullName, failureMessages }) => ({
          status: status === "passed" || status === "failed" ? status : "skipped",
          title: `${relative(root, file.name)}: ${fullName}`,
          details: failureMessages,
        })),
  );
  add(name, tests, code);
}

async function playwright(name, folder, { flags = [], stdio } = /** @type {RunnerOptions} */ ({})) {
  const report = join(reports, `${folder.replaceAll("/", "-")}.json`);
  const command = [
    bin("@playwright/test/cli.js"),
    "test",
    "-c",
    folder,
    "--forbid-only",
    "--reporter=list,json",
    ...flags,
  ];
  const { code } = await runner(name, command, { stdio, env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
  const statuses = { expected: "passed", flaky: "passed", unexpected: "failed", skipped: "skipped" };
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const tests = readReport(report)
    ?.suites.flatMap(specs)
    .flatMap(({ title, file, tests }) =>
      tests.map(({ status, results }) => ({
        status: statuses[status],
        title: `${file}: ${title}`,
        details: results.flatMap(({ errors }) => errors.map(({ message }) => message)),
      })),
    );
  add(name, tests, code);
}

/** Shows what a runner prints as it comes, or, of one beside others, when it is over. */
async function runner(name, command, options) {
  const begun = Date.now();
  if (options.stdio !== "pipe") console.log(`\n── ${name}`);
  const result = await node(command, options);
  if (options.stdio === "pipe") console.log(`\n── ${name}\n${result.output.trim()}`);
  console.log(`\n── ${name}: ${seconds(begun)}`);
  return result;
}

/** The in-page suite in three engines. One that is missing is a skip with its reason. */
async function engines(name) {
  const report = join(reports, "engines.json");
  const { code } = await runner(name, ["test/engines/run.mjs", "--report", report], {});
  const { tests } = readReport(report) ?? {};
  for (const { status, title } of tests ?? []) {
    if (status === "todo") tally.pending.add(title.split(": ").at(-1));
  }
  add(
    name,
    tests?.filter(({ status }) => status !== "todo"),
    code,
  );
}

/** Counts the tests of one runner. That it ended badly with no test to blame is a failure too. */
function add(name, tests, code) {
  for (const { status, title, details } of tests ?? []) {
    if (status === "skipped") tally.skipped.push(title);
    else count(status === "passed", title, details);
  }
  const nothingRan = tests === undefined || tests.length === 0;
  if (nothingRan) fail(`${name} (nothing ran)`);
  else if (code !== 0 && tests.every(({ status }) => status !== "failed")) fail(`${name} (exit code ${code})`);
}

function count(ok, name, /** @type {string[]} */ details = []) {
  if (ok) tally.passed += 1;
  else fail(name, details);
}

/** Its details are shown again at the end, a part of each: what ran after it may have printed much. */
function fail(name, /** @type {string[]} */ details = []) {
  tally.failed += 1;
  const lines = details.flatMap((detail) => detail.split("\n").slice(0, 12));
  tally.failures.push({ title: name, details: lines.map((line) => `    ${line.slice(0, 300)}`).join("\n") });
}

/** @returns {Promise<{code: number, output: string}>} */
function node(command, /** @type {{stdio?: "inherit" | "pipe", env?: object}} */ { stdio = "inherit", env = {} } = {}) {
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", stdio, stdio] };
  const child = spawn(process.execPath, command, options);
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  child.stderr?.on("data", (text) => (output += text));
  const late = setTimeout(() => {
    console.log(`\n${command.slice(0, 2).join(" ")}: not ended within ${LIMIT / 60_000} minutes, so it is stopped.`);
    child.kill();
    setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
  }, LIMIT);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: `${output}${error.message}` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  }).finally(() => {
    clearTimeout(late);
  });
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function bin(path) {
  return join(root, "node_modules", path);
}

function seconds(begun) {
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}
