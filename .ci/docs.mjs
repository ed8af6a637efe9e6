#!/usr/bin/env node
// `npm run docs`: puts the samples of docs/samples/ into README.md and docs/*.md, each where a line names it:
//
//   <!-- sample: first-session.ts -->
//
// With --check it writes nothing, and fails for what differs.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { placeSamples } from "./place-samples.mjs";
import { root } from "./set-up.mjs";

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const folder = join(root, "docs", "samples");
const samples = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const documents = ["README.md", ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"))];
/** @type {Set<string>} */
const shown = new Set();
/** @type {string[]} */
const problems = [];
for (const name of documents) {
  const path = name === "README.md" ? name : `docs/${name}`;
  const text = readFileSync(join(root, path), "utf8");
  const placed = placeSamples(text, samples);
  problems.push(...placed.problems.map((problem) => `${path}:${problem}`));
  for (const sample of placed.shown) shown.add(sample);
  if (placed.text === text) continue;
  if (options.check) problems.push(`${path} differs from its samples: run "npm run docs".`);
  else writeFileSync(join(root, path), placed.text);
}
for (const name of samples.keys()) if (!shown.has(name)) problems.push(`docs/samples/${name} is in no document.`);
for (const problem of problems) console.log(problem);
console.log(`${documents.length} documents, ${samples.size} samples, ${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;
