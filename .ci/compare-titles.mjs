#!/usr/bin/env node
// Compares the titles of two runs of `npm test -- --titles FILE`, so that no promise is lost unnoticed.
//
//   node .ci/compare-titles.mjs BEFORE AFTER            lists titles that vanished, and counts the new ones
//   node .ci/compare-titles.mjs BEFORE AFTER RENAMED    the same without those that RENAMED explains
//
// RENAMED has a line for each title: its file, the end of the old title, and the new one or where its promise is checked
// now, with a tab between.

import { readFileSync } from "node:fs";

const [before, after, renamed] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  console.error("usage: node .ci/compare-titles.mjs BEFORE AFTER [RENAMED]");
  process.exit(2);
}

const old = countedTitles(before);
const current = countedTitles(after);
const explained = renamed === undefined ? [] : readLines(renamed).map((line) => line.split("\t")[1] ?? "");

let vanished = 0;
for (const [title, count] of old) {
  const left = count - (current.get(title) ?? 0);
  if (left <= 0 || explained.some((known) => known !== "" && title.endsWith(normalized(known)))) continue;
  vanished += left;
  console.log(`${title}${count === 1 ? "" : ` (${count}, now ${count - left})`}`);
}
const added = [...current].reduce((sum, [title, count]) => sum + Math.max(0, count - (old.get(title) ?? 0)), 0);
console.log(
  `${total(old)} titles before, ${total(current)} after: ${vanished} vanished without a reason, ${added} new`,
);
process.exitCode = vanished === 0 ? 0 : 1;

/** How often each title was run: several suites run the same rows. */
function countedTitles(file) {
  const counts = new Map();
  for (const line of readLines(file)) {
    const title = normalized(line);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return counts;
}

/**
 * Without the file, since tests move, and with the rows of the specification behind the words, since they once stood
 * before them.
 */
function normalized(line) {
  const title = line.replace(/^[\w./-]+\.(test|spec)\.ts: /, "");
  return title.replace(/(^|: | )((?:[A-Z]\d+[a-z]?)(?:(?:, | and )[A-Z]\d+[a-z]?)*): (.*)$/, "$1$3 ($2)");
}

function total(counts) {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function readLines(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
