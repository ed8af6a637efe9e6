// What each source imports, types included.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import ts from "@typescript/typescript6";

import { root } from "./set-up.mjs";

/** Folders with sources of ours; tests and scripts among them. */
const SOURCES = ["src", "worker", "test", "bench", "eval", ".ci"];

/**
 * @typedef {object} Import
 * @property {string | null} file - what a relative specifier names, as a path from the root. Null for packages and what is no source.
 * @property {string} specifier
 * @property {number} line
 * @property {boolean} isDeclared - by a declaration at the top that binds names: those stand in an order.
 */

/** @returns {Map<string, Import[]>} by path from the root. */
export function readImports() {
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
function importsOf(/** @type {string} */ file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ESNext, false);
  /** @type {Import[]} */
  const found = [];
  const add = (/** @type {import("@typescript/typescript6").Node | undefined} */ node, isDeclared = false) => {
    if (node === undefined || !ts.isStringLiteral(node)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.pos);
    found.push({ file: resolve(file, node.text), specifier: node.text, line: line + 1, isDeclared });
  };
  const visit = (/** @type {import("@typescript/typescript6").Node} */ node) => {
    if (ts.isImportDeclaration(node)) {
      const { importClause, moduleSpecifier } = node;
      add(moduleSpecifier, importClause !== undefined);
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function resolve(/** @type {string} */ from, /** @type {string} */ specifier) {
  if (!specifier.startsWith(".") || specifier.endsWith(".json")) return null;
  const path = join(dirname(from), specifier);
  const candidates = [path.replace(/\.js$/, ".ts"), path.replace(/\.mjs$/, ".mts"), path];
  return candidates.find((candidate) => existsSync(join(root, candidate))) ?? null;
}
