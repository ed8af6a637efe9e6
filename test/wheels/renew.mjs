#!/usr/bin/env node
// Downloads the newest wheels for this folder, and writes index.json and README.md: `node test/wheels/renew.mjs`. Needs pip.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { strFromU8, unzipSync } from "fflate";

/** Compiled ones for Pyodide's platform, then pure ones. */
const COMPILED = ["msgpack", "pydantic-core", "xxhash"];
const PURE = [
  "annotated-types",
  "attrs",
  "ftfy",
  "iniconfig",
  "packaging",
  "pluggy",
  "pydantic",
  "pygments",
  "pytest",
  "typing-extensions",
  "typing-inspection",
  "tzdata",
  "urllib3",
  "wcwidth",
];
const PLATFORM = "pyemscripten_2026_0_wasm32";
const PYTHON = ["--python-version", "3.14", "--implementation", "cp", "--abi", "cp314"];

const folder = fileURLToPath(new URL(".", import.meta.url));

for (const name of wheels()) rmSync(join(folder, name));
download(COMPILED, ["--platform", PLATFORM, ...PYTHON]);
download(PURE, ["--platform", "any", "--python-version", "3.14", "--implementation", "py", "--abi", "none"]);
writeFileSync(join(folder, "index.json"), `${JSON.stringify(wheels().map(entryOf), null, 2)}\n`);
writeFileSync(join(folder, "README.md"), readme());

/** @param {readonly string[]} names @param {readonly string[]} options */
function download(names, options) {
  const fixed = ["-m", "pip", "download", "--quiet", "--only-binary=:all:", "--no-deps", "--dest", folder];
  const { status, error } = spawnSync("python3", [...fixed, ...options, ...names], { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`pip ended with ${String(status)}.`);
}

function wheels() {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".whl"))
    .sort();
}

/** What index.json says of a wheel. @param {string} file */
function entryOf(file) {
  const bytes = readFileSync(join(folder, file));
  return { file, sha256: hashOf(bytes), size: bytes.length, imports: modulesOf(bytes) };
}

/** The modules that a wheel brings, but for private ones. @param {Uint8Array} bytes */
function modulesOf(bytes) {
  /** @type {Set<string>} */
  const modules = new Set();
  unzipSync(bytes, {
    filter: ({ name }) => {
      const [, module] = /^([A-Za-z]\w*)(?:\/__init__)?\.(?:py|so|cpython-[\w-]+\.so)$/.exec(name) ?? [];
      if (module !== undefined) modules.add(module);
      return false;
    },
  });
  return [...modules].sort();
}

/** @param {Uint8Array} bytes */
function hashOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

function readme() {
  const rows = wheels().map((name) => {
    const bytes = readFileSync(join(folder, name));
    return `| ${name} | ${licenceOf(bytes)} | ${bytes.length.toLocaleString("en-US")} | \`${hashOf(bytes)}\` |`;
  });
  return `# Wheels of other people

Tests install them: as they were published, and as this folder serves them. The demo serves it, too, as \`packages/\`. The text of
each licence is in the wheel. \`node test/wheels/renew.mjs\` downloads the newest ones, with pip, and writes this file and index.json.

| wheel | licence | bytes | sha256 |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** @param {Uint8Array} bytes */
function licenceOf(bytes) {
  const files = unzipSync(bytes, { filter: ({ name }) => name.endsWith(".dist-info/METADATA") });
  const [metadata] = Object.values(files);
  const text = metadata === undefined ? "" : strFromU8(metadata);
  const said = /^License(?:-Expression)?: *(.+)$/m.exec(text) ?? /^Classifier: License :: (?:.*:: )?(.+)$/m.exec(text);
  return said?.[1] ?? "not said";
}
