#!/usr/bin/env node
// What tests cost, from what `npm test` printed: of each browser test into test-costs.json, for test-changed.mjs, and of each job into
// CONTRIBUTING.md. Of a run in which nothing else was at work:
//
//   npm test | tee FILE
//   node .ci/test-costs.mjs FILE "2026-11-28, commit 7e32091"

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { root } from "./set-up.mjs";

const BEGIN = "<!-- costs of npm test -->\n";
const END = "<!-- end of costs -->\n";

const [file, of] = process.argv.slice(2);
if (file === undefined || of === undefined) {
  console.error('Write: node .ci/test-costs.mjs FILE "date, commit"');
  process.exitCode = 2;
} else {
  const output = stripVTControlCharacters(readFileSync(file, "utf8"));
  writeFiles(output);
  writeJobs(output, of);
}

/** Quick files are left out: they cost what opening their page does. One that runs in two projects has the dearer. */
function writeFiles(/** @type {string} */ output) {
  /** @type {Map<string, number>} */
  const costs = new Map();
  for (const [, path = "", time] of output.matchAll(
    /^ *[✓❯] .* (test\/browser\/\S+\.ts) \(\d+ tests?.*\) (\d+)ms$/gm,
  )) {
    costs.set(path, Math.max(costs.get(path) ?? 0, Math.ceil(Number(time) / 1000)));
  }
  const sorted = [...costs].filter(([, seconds]) => seconds > 2).sort(([one], [other]) => (one < other ? -1 : 1));
  if (sorted.length === 0) throw new Error("The file has no browser tests with their times.");
  writeFileSync(join(root, ".ci", "test-costs.json"), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  console.log(`test-costs.json: ${sorted.length} files.`);
}

/** From the list that a run ends with. */
function writeJobs(/** @type {string} */ output, /** @type {string} */ of) {
  const all = Array.from(output.matchAll(/^ *(\d+) s {2}(.+)$/gm), ([, seconds, name = ""]) => ({
    seconds: Number(seconds),
    name,
  }));
  const sum = all.find(({ name }) => name === "all");
  if (sum === undefined) throw new Error("The run did not end: it has no sum of its jobs.");
  const rows = all
    .filter((job) => job !== sum)
    .sort((one, other) => other.seconds - one.seconds)
    .map(({ seconds, name }) => `| ${name} | ${seconds.toLocaleString("en")} |`);
  const table = [
    `${of}: ${sum.seconds.toLocaleString("en")} seconds in all.`,
    "",
    "| job | seconds |",
    "| --- | --- |",
    ...rows,
  ];
  const path = join(root, "CONTRIBUTING.md");
  const [before, rest] = readFileSync(path, "utf8").split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error("CONTRIBUTING.md has no place for the table.");
  writeFileSync(path, `${before}${BEGIN}${table.join("\n")}\n${END}${after}`);
  console.log(`CONTRIBUTING.md: ${rows.length} jobs.`);
}
