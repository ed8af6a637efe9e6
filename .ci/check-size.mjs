#!/usr/bin/env node
// Holds what was built against .ci/size-budget.json. Sizes are bytes after gzip.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { gzipSync } from "node:zlib";

import { root } from "./set-up.mjs";

const budget = JSON.parse(readFileSync(join(root, ".ci", "size-budget.json"), "utf8"));
const failures = [];

for (const { what, entry, folder, chunk, limit } of budget) {
  if (!existsSync(join(root, entry ?? folder))) {
    console.log(`${what}: not built`);
    failures.push(what);
    continue;
  }
  const files = entry === undefined ? scriptsBelow(join(root, folder), chunk) : scriptsLoadedWith(join(root, entry));
  if (files.length === 0) failures.push(what);
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  const line = `${what}: ${kilobytes(size)} of ${kilobytes(limit)}`;
  console.log(size > limit ? `${line}: too large` : line);
  if (size > limit) failures.push(what);
}
process.exitCode = failures.length === 0 ? 0 : 1;

/** `entry` and what it imports statically; of an HTML file, what its module scripts load. */
function scriptsLoadedWith(entry, seen = new Set()) {
  if (seen.has(entry)) return [...seen];
  const text = readFileSync(entry, "utf8");
  if (!entry.endsWith(".html")) seen.add(entry);
  const imports = entry.endsWith(".html")
    ? /(?:src|href)="([^"]+\.js)"/g
    : /(?:^|[;}\s])(?:import|export)\b[^;"'()]*["'](\.{1,2}\/[^"']+\.js)["']/g;
  for (const [, path] of text.matchAll(imports)) scriptsLoadedWith(join(dirname(entry), path), seen);
  return [...seen];
}

/** Of one chunk, or of all that have no budget of their own, as chunks, with their folder, or as a script with `apart`. */
function scriptsBelow(folder, chunk) {
  const isOf = (name, each) => name.startsWith(`${each}-`);
  const chunks = budget.flatMap((line) => line.chunk ?? []);
  const folders = budget.flatMap((line) => (line.folder === undefined ? [] : `${join(root, line.folder)}${sep}`));
  const alone = budget.flatMap((line) => (line.apart === true ? join(root, line.entry) : []));
  const apart = folders.filter((each) => each.startsWith(`${folder}${sep}`) && each !== `${folder}${sep}`);
  return readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".js") && !apart.some((each) => join(folder, name).startsWith(each)))
    .filter((name) => !alone.includes(join(folder, name)))
    .filter((name) => (chunk === undefined ? !chunks.some((each) => isOf(name, each)) : isOf(name, chunk)))
    .map((name) => join(folder, name));
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
