import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { root } from "../build-pages.js";
import { packageSets, type PackageSet, type PackageSetName } from "../pages/package-sets.js";
import { makeWheels, MADE_VERSION } from "./made-wheels.js";

const CACHE = join(root, "node_modules/.cache/vitrine-bench-packages");

/** The one wheel that is not among those of the tests. */
const APSW = "apsw==3.54.1.0";
const PLATFORM = "--platform pyemscripten_2026_0_wasm32 --python-version 3.14 --implementation cp --abi cp314";

const TESTED = ["pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"];

/** Where the folder of a set lies, or why it cannot be had. */
export type PackageFolder = { readonly folder: string } | { readonly missing: string };

/** The folder of a set: its wheels, and the lockfile by which both sides take them. Made once. */
export function packageFolder(set: PackageSetName): PackageFolder {
  const folder = join(CACHE, set === "made" ? `made-${MADE_VERSION}` : set);
  if (existsSync(join(folder, "pyodide-lock.json"))) return { folder };
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const problem = set === "made" ? writeMade(unfinished) : collectReal(unfinished);
  if (problem !== null) return { missing: problem };
  writeFileSync(join(unfinished, "pyodide-lock.json"), JSON.stringify(lockfileOf(set, unfinished)));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return { folder };
}

function writeMade(folder: string): null {
  for (const { filename, bytes } of makeWheels()) writeFileSync(join(folder, filename), bytes);
  return null;
}

/** @returns why it cannot be had; null where all is there. */
function collectReal(folder: string): string | null {
  const tested = join(root, "test/wheels");
  for (const filename of readdirSync(tested)) {
    if (TESTED.some((name) => filename.startsWith(`${name}-`)))
      copyFileSync(join(tested, filename), join(folder, filename));
  }
  const args = `-m pip download --only-binary=:all: --no-deps ${PLATFORM} --dest`.split(" ");
  const { status, error } = spawnSync("python3", [...args, folder, APSW], { stdio: "ignore" });
  if (error !== undefined) return `${APSW} comes by pip, and there is no python3`;
  return status === 0 ? null : `pip could not download ${APSW}`;
}

/** Like Pyodide's own, of these files. */
function lockfileOf(set: PackageSetName, folder: string): unknown {
  const shipped = JSON.parse(readFileSync(join(root, "node_modules/pyodide/pyodide-lock.json"), "utf8")) as {
    readonly info: unknown;
  };
  const { needs }: PackageSet = packageSets[set];
  const entries = readdirSync(folder)
    .filter((filename) => filename.endsWith(".whl"))
    .map((filename) => {
      const [module = "", version = ""] = filename.split("-");
      const name = module.replaceAll("_", "-");
      return {
        name,
        version,
        file_name: filename,
        install_dir: "site",
        package_type: "package",
        sha256: createHash("sha256")
          .update(readFileSync(join(folder, filename)))
          .digest("hex"),
        depends: needs[name] ?? [],
        imports: [module],
        unvendored_tests: false,
      };
    });
  return { info: shipped.info, packages: Object.fromEntries(entries.map((entry) => [entry.name, entry])) };
}
