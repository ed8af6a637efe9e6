#!/usr/bin/env node
// Finds circles of imports, those of types included, which ESLint's rule does not see. A circle of values is refused.
// Circles that exist through types alone stand in import-cycles.json; that list may only get shorter.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import ts from "typescript";

import { root } from "./set-up.mjs";

const LISTED = join(root, ".ci", "import-cycles.json");

/** Folders with sources of ours; tests and scripts among them. */
const SOURCES = ["src", "worker", "test", "bench", "eval", ".ci"];

/** @typedef {{file: string, isType: boolean}} Import */

const imports = readImports();
const values = circles((file) => imports.get(file)?.filter(({ isType }) => !isType) ?? []);
const all = circles((file) => imports.get(file) ?? []);
/** @type {string[][]} */
const listed = JSON.parse(readFileSync(LISTED, "utf8"));

const isListed = (circle) => listed.some((files) => circle.every((file) => files.includes(file)));
const remains = (files) => all.some((circle) => files.every((file) => circle.includes(file)));
const problems = [
  ...values.map((circle) => `A circle of imports: ${circle.join(", ")}. Move what they share into a file of its own.`),
  ...all
    .filter((circle) => !isListed(circle))
    .map((circle) => `A circle through types: ${circle.join(", ")}. Move the types into a file of their own.`),
  ...listed
    .filter((files) => !remains(files))
    .map((files) => `No longer a circle as listed: ${files.join(", ")}. Shorten .ci/import-cycles.json.`),
];

for (const problem of problems) console.log(problem);
console.log(`${imports.size} files, ${all.length} circles through types alone, ${values.length} of values.`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @returns {Map<string, Import[]>} by path from the root. */
function readImports() {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: "utf8", recursive: true }).map((file) => join(folder, file)),
  ).filter((file) => /(?<!\.d)\.(ts|mts|mjs|js)$/.test(file) && !/[/\\](node_modules|dist)[/\\]/.test(file));
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/**
 * With `import()`, which makes a circle too: who waits for it at the top of a module waits for ever.
 *
 * @returns {Import[]}
 */
function importsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ESNext, false);
  /** @type {Import[]} */
  const found = [];
  const add = (/** @type {import("typescript").Node | undefined} */ specifier, /** @type {boolean} */ isType) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    const target = resolve(file, specifier.text);
    if (target !== null) found.push({ file: target, isType });
  };
  const visit = (/** @type {import("typescript").Node} */ node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly ?? false);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What a relative specifier names, as a path from the root. Null for packages and what is no source. */
function resolve(from, specifier) {
  if (!specifier.startsWith(".") || specifier.endsWith(".json")) return null;
  const path = join(dirname(from), specifier);
  const candidates = [path.replace(/\.js$/, ".ts"), path.replace(/\.mjs$/, ".mts"), path];
  return candidates.find((candidate) => existsSync(join(root, candidate))) ?? null;
}

/**
 * Groups of files that reach each other (Tarjan's strongly connected components), each sorted.
 *
 * @param {(file: string) => Import[]} importsFrom
 * @returns {string[][]}
 */
function circles(importsFrom) {
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
