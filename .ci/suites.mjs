// The suites of `npm test`: how each is run, and how its report is read.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { runNode } from "./run-node.mjs";
import { root } from "./set-up.mjs";

/** @typedef {import("./tally.mjs").TestResult} TestResult */

/** Runs suites and adds what they report to a tally. */
export class Suites {
  #tally;
  #reports = mkdtempSync(join(tmpdir(), "vitrine-test-"));
  /** Rows that an engine does not run yet, each with a reason in its own output. */
  #pending = new Set();

  constructor(/** @type {import("./tally.mjs").Tally} */ tally) {
    this.#tally = tally;
  }

  get pendingRows() {
    return [...this.#pending];
  }

  /** Removes the reports. */
  close() {
    rmSync(this.#reports, { recursive: true, force: true });
  }

  /** A check with nothing to count in it, all of whose commands must end well. Its output is shown where it fails. */
  async check(/** @type {string} */ name, /** @type {string[][]} */ ...commands) {
    const begun = Date.now();
    let ok = true;
    let shown = "";
    for (const command of commands) {
      const { code, output } = await runNode(command);
      if (code === 0) continue;
      ok = false;
      shown += output;
    }
    console.log(`\n── ${name}: ${ok ? "ok" : "failed"} (${this.#stop(name, begun)} s)`);
    if (!ok) console.log(shown.trim());
    this.#tally.count(ok, name);
  }

  /** Projects of vitest.config.ts: all their tests, or those in files whose paths contain one of `files`. */
  async vitest(
    /** @type {string} */ name,
    /** @type {string[]} */ projects,
    /** @type {{files?: readonly string[]}} */ { files = [] } = {},
  ) {
    const report = join(this.#reports, `${projects[0]}.json`);
    const code = await this.#run(name, [
      bin("vitest/vitest.mjs"),
      "run",
      "--allowOnly=false",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...projects.flatMap((project) => ["--project", project]),
      ...files,
    ]);
    const results = readReport(report)?.testResults;
    this.#tally.add(name, results?.flatMap(vitestResults), code);
  }

  /** A folder with a configuration of Playwright: all its tests, or those in files whose paths contain one of `files`. */
  async playwright(
    /** @type {string} */ name,
    /** @type {string} */ folder,
    /** @type {{files?: readonly string[]}} */ { files = [] } = {},
  ) {
    const report = join(this.#reports, `${folder.replaceAll("/", "-")}.json`);
    const command = [
      bin("@playwright/test/cli.js"),
      "test",
      "-c",
      folder,
      "--forbid-only",
      "--reporter=list,json",
      ...files,
    ];
    const code = await this.#run(name, command, { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
    this.#tally.add(name, readReport(report)?.suites.flatMap(playwrightResults), code);
  }

  /** The in-page suite in three engines. One that is missing is a skip with its reason. */
  async engines(/** @type {string} */ name) {
    const report = join(this.#reports, "engines.json");
    const code = await this.#run(name, ["test/engines/run.mjs", "--report", report]);
    const tests = readReport(report)?.tests;
    for (const { status, title } of tests ?? []) {
      if (status === "todo") this.#pending.add(title.split(": ").at(-1));
    }
    this.#tally.add(
      name,
      tests?.filter(({ status }) => status !== "todo"),
      code,
    );
  }

  /** Shows what a suite prints once it is over, since others run beside it. Returns its exit code. */
  async #run(/** @type {string} */ name, /** @type {string[]} */ command, env = {}) {
    const begun = Date.now();
    console.log(`\n── ${name}: begins`);
    const { code, output } = await runNode(command, { env });
    console.log(`\n── ${name}\n${output.trim()}\n\n── ${name}: ${this.#stop(name, begun)} s`);
    return code;
  }

  #stop(/** @type {string} */ name, /** @type {number} */ begun) {
    const seconds = (Date.now() - begun) / 1000;
    this.#tally.time(name, seconds);
    return seconds.toFixed(1);
  }
}

/** The path of a package's script. */
export function bin(/** @type {string} */ path) {
  return join(root, "node_modules", path);
}

/** @returns {TestResult[]} */
function vitestResults(file) {
  const name = relative(root, file.name);
  if (file.assertionResults.length === 0 && file.status === "failed") {
    return [{ status: "failed", title: `${name} (did not run)`, details: [file.message] }];
  }
  return file.assertionResults.map(({ status, fullName, failureMessages }) => ({
    status: status === "passed" || status === "failed" ? status : "skipped",
    title: `${name}: ${fullName}`,
    details: failureMessages,
  }));
}

/** @returns {TestResult[]} */
function playwrightResults(suite) {
  const statuses = { expected: "passed", flaky: "passed", unexpected: "failed", skipped: "skipped" };
  const own = (suite.specs ?? []).flatMap(({ title, file, tests }) =>
    tests.map(({ status, results }) => ({
      status: statuses[status],
      title: `${file}: ${title}`,
      details: results.flatMap(({ errors }) => errors.map(({ message }) => message)),
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap(playwrightResults)];
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
