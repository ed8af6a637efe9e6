import { writeFileSync } from "node:fs";

/**
 * What every suite reports of a test.
 *
 * @typedef {{status: "passed" | "failed" | "skipped", title: string, details?: string[]}} TestResult
 */

/** Counts tests and checks, and keeps what failed for the end: what ran after it may have printed much. */
export class Tally {
  #passed = 0;
  /** @type {{title: string, details: string}[]} */
  #failures = [];
  /** @type {string[]} */
  #skipped = [];
  /** @type {string[]} */
  #titles = [];
  /** @type {{name: string, seconds: number}[]} */
  #times = [];

  get failed() {
    return this.#failures.length;
  }

  /** Counts one check or test. */
  count(/** @type {boolean} */ ok, /** @type {string} */ title, /** @type {string[]} */ details = []) {
    this.#titles.push(title);
    if (ok) {
      this.#passed += 1;
      return;
    }
    const lines = details.flatMap((detail) => detail.split("\n").slice(0, 12));
    this.#failures.push({ title, details: lines.map((line) => `    ${line.slice(0, 300)}`).join("\n") });
  }

  /**
   * Counts the tests of one suite. That it ended badly with no test to blame is a failure too.
   *
   * @param {string} name
   * @param {readonly TestResult[] | undefined} tests - undefined where it left no report.
   * @param {number} code - the exit code.
   */
  add(name, tests, code) {
    for (const { status, title, details } of tests ?? []) {
      if (status === "skipped") this.#skipped.push(title);
      else this.count(status === "passed", title, details);
    }
    if (tests === undefined || tests.length === 0) this.count(false, `${name} (nothing ran)`);
    else if (code !== 0 && tests.every(({ status }) => status !== "failed")) {
      this.count(false, `${name} (exit code ${code})`);
    }
  }

  /** Keeps how long a suite took, for the list at the end. */
  time(/** @type {string} */ name, /** @type {number} */ seconds) {
    this.#times.push({ name, seconds });
  }

  /** Prints what was skipped, what failed and how long each suite took; the line with the counts comes last. */
  print(/** @type {number} */ seconds) {
    for (const name of this.#skipped) console.log(`skipped: ${name}`);
    for (const { title, details } of this.#failures) console.log(`failed: ${title}\n${details}`.trimEnd());
    for (const { name, seconds } of this.#times) console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`);
    console.log(`${seconds.toFixed(0).padStart(5)} s  all`);
    console.log(`${this.#passed} passed, ${this.failed} failed`);
  }

  /** Writes every title, skipped ones included, for compare-titles.mjs. */
  writeTitles(/** @type {string} */ file) {
    writeFileSync(file, `${[...this.#titles, ...this.#skipped].sort().join("\n")}\n`);
  }
}
