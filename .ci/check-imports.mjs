#!/usr/bin/env node
// Imports: in one direction through the layers of src/, in order within a file, and without circles, through types either.

import { readImports } from "./import-graph.mjs";
import { roomOf, rooms, whyForbidden } from "./import-layers.mjs";

/** @typedef {import("./import-graph.mjs").Import} Import */

const imports = readImports();
const problems = [...forbidden(), ...unknownRooms(), ...outOfOrder(), ...inCircles()];
for (const problem of problems) console.log(problem);
console.log(`${imports.size} files, ${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function* forbidden() {
  for (const [from, found] of imports) {
    for (const { file, line, specifier } of found) {
      const imported = specifier.startsWith("node:") ? specifier : file;
      const why = imported === null ? null : whyForbidden(from, imported);
      if (why !== null) yield `${from}:${line} imports "${specifier}". ${why}`;
    }
  }
}

/** A room that was renamed would be held by nothing. */
function* unknownRooms() {
  const files = [...imports.keys()];
  for (const [folder, order] of Object.entries(rooms)) {
    for (const room of order.flat()) {
      if (files.some((file) => roomOf(file, folder) === room)) continue;
      yield `src/${folder} has no ${room}, which .ci/import-layers.mjs lists.`;
    }
  }
}

/** Packages first, then what is further up, then what is beside. */
function* outOfOrder() {
  const rank = (/** @type {Import} */ { specifier }) =>
    specifier.startsWith("../") ? 1 : specifier.startsWith("./") ? 2 : 0;
  for (const [from, found] of imports) {
    let highest = 0;
    for (const each of found.filter(({ isDeclared }) => isDeclared)) {
      if (rank(each) < highest) {
        yield `${from}:${each.line} imports "${each.specifier}" too late: packages come first, then "../", then "./".`;
      }
      highest = Math.max(highest, rank(each));
    }
  }
}

function inCircles() {
  const circles = circlesOf(
    (file) => imports.get(file)?.filter(({ file: next }) => next !== null && imports.has(next)) ?? [],
  );
  return circles.map(
    (circle) => `A circle of imports: ${circle.join(", ")}. Move what they share, types too, into a file of its own.`,
  );
}

/**
 * Groups of files that reach each other (Tarjan's strongly connected components), each sorted.
 *
 * @param {(file: string) => Import[]} importsFrom
 * @returns {string[][]}
 */
function circlesOf(importsFrom) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const { file: next } of importsFrom(file)) {
      if (!index.has(next)) {
        visit(next);
        low.set(file, Math.min(low.get(file), low.get(next)));
      } else if (stack.includes(next)) {
        low.set(file, Math.min(low.get(file), index.get(next)));
      }
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found.sort((one, other) => (one[0] < other[0] ? -1 : 1));
}
