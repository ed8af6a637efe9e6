#!/usr/bin/env node
// Checks worker/python (ruff's rules, its format, pyright's types), and the projects and batches of the evaluation and the
// examples (format, and what ruff calls wrong) without any Python installed.
//
//   node .ci/check-python.mjs               all checks
//   node .ci/check-python.mjs --fix         write the format and what can be fixed safely, then check
//   node .ci/check-python.mjs --fix NAME …  the same for files whose path contains NAME

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import { parse } from "smol-toml";

const root = fileURLToPath(new URL("..", import.meta.url));
const project = join(root, "worker", "python");
const [fix, wanted] = process.argv[2] === "--fix" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];

// The wasm build tells no safe fix from an unsafe one.
const safelyFixable = /^(I001|F401|RUF022|RUF100|UP\d+)$/;

/** @type {any} */
const { tool } = parse(readFileSync(join(project, "pyproject.toml"), "utf8"));
const ofProduct = new Workspace(tool.ruff, PositionEncoding.Utf16);
// They are written as other people's: whether functions have docstrings and types is their own affair, and some have a bug
// that is meant, which rules beyond these might name.
const evalFolders = ["eval/projects", "eval/batches", "examples"].map((name) => join(root, name));
const ofProjects = new Workspace(
  { ...tool.ruff, "target-version": "py311", lint: { select: ["E", "W", "F", "I", "N", "UP"] } },
  PositionEncoding.Utf16,
);
let ruff = ofProduct;

let problems = 0;
const files = [project, ...evalFolders].flatMap((folder) =>
  readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((name) => /\.pyi?$/.test(name) && (wanted.length === 0 || wanted.some((part) => name.includes(part))))
    .map((name) => join(folder, name))
    .sort(),
);

for (const file of files) {
  ruff = evalFolders.some((folder) => file.startsWith(folder)) ? ofProjects : ofProduct;
  if (fix) writeFileSync(file, formatted(repaired(readFileSync(file, "utf8"))));
  const source = readFileSync(file, "utf8");
  const name = relative(root, file);
  for (const { code, message, start_location: at } of diagnose(file, source)) {
    report(`${name}:${at.row}:${at.column} ${code ?? "syntax"} ${message}`);
  }
  if (formatted(source) !== source) report(`${name} is not in ruff's format; run \`npm run format\`.`);
}

const pyright = createRequire(import.meta.url).resolve("pyright/index.js");
const types = spawnSync(process.execPath, [pyright, "-p", project], { cwd: root, encoding: "utf8" });
if (types.status !== 0) report(`${types.stdout}${types.stderr}`.trim());

console.log(problems === 0 ? `${files.length} Python files are fine.` : `${problems} problems in Python files.`);
process.exitCode = problems === 0 ? 0 : 1;

function report(text) {
  problems += 1;
  console.log(text);
}

function diagnose(file, source) {
  const found = ruff.check(source);
  // Stubs describe; they need no docstrings, and their names are the other side's.
  return file.endsWith(".pyi") ? found.filter(({ code }) => !/^(D|N)\d+$/.test(code ?? "")) : found;
}

function formatted(source) {
  try {
    return ruff.format(source);
  } catch {
    return source; // A syntax error, which the rules report.
  }
}

function repaired(source) {
  for (let round = 0; round < 20; round += 1) {
    const found = ruff.check(source).find(({ code, fix: repair }) => repair && safelyFixable.test(code ?? ""));
    if (found === undefined) break;
    const repairs = found.fix.edits.toSorted((a, b) => offset(source, b.location) - offset(source, a.location));
    for (const { location, end_location: end, content } of repairs) {
      source = source.slice(0, offset(source, location)) + (content ?? "") + source.slice(offset(source, end));
    }
  }
  return source;
}

function offset(source, { row, column }) {
  let start = 0;
  for (let line = 1; line < row; line += 1) start = source.indexOf("\n", start) + 1;
  return start + column - 1;
}
