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
const PURE = ["annotated-types", "attrs", "packaging", "pydantic", "typing-extensions", "typing-inspection", "tzdata"];
const PLATFORM = "pyemscripten_2026_0_wasm32";
const PYTHON = ["--python-version", "3.14", "--implementation", "cp", "--abi", "cp314"];

const folder = fileURLToPath(new URL(".", import.meta.url));

for (const name of wheels()) rmSync(join(folder, name));
download(COMPILED, ["--platform", PLATFORM, ...PYTHON]);
download(PURE, []);
writeFileSync(join(folder, "index.json"), `${JSON.stringify(wheels(), null, 2)}\n`);
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

function readme() {
  const rows = wheels().map((name) => {
    const bytes = readFileSync(join(folder, name));
    const hash = createHash("sha256").update(bytes).digest("hex");
    return `| ${name} | ${licenceOf(bytes)} | ${bytes.length.toLocaleString("en-US")} | \`${hash}\` |`;
  });
  return `# Wheels of other people

Tests install them: as they were published, and as this folder serves them (\`packagesURL\`). The text of each licence is in the
wheel. \`node test/wheels/renew.mjs\` downloads the newest ones, with pip, and writes this file and index.json.

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
  return /^License(?:-Expression)?: *(.+)$/m.exec(text)?.[1] ?? "not said";
}
