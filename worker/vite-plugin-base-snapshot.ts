import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { normalizePath, type Plugin } from "vite";
import { z } from "zod";

import { packSnapshot } from "./packed-snapshot.js";

const ID = "virtual:base-snapshot";
const RESOLVED_ID = `\0${ID}`;

const root = fileURLToPath(new URL("..", import.meta.url));
const python = `${normalizePath(root)}worker/python/`;
const cache = new URL("../node_modules/.cache/vitrine/", import.meta.url);

/** Where the page's code finds the snapshot; src/executor/pyodide-urls.ts names it too. */
export const BASE_SNAPSHOT_FILE = new URL("base-snapshot.bin", cache);

/** What the page knows of the snapshot beforehand. */
const BaseSnapshotFacts = z.object({
  /** Of Pyodide, of the Python package, of the packing and of how it is made: a snapshot fits this build alone. */
  buildId: z.string(),
  /** Of the packed bytes before compression, hexadecimal. */
  sha256: z.string(),
});
type BaseSnapshotFacts = z.infer<typeof BaseSnapshotFacts>;

/**
 * Makes the base snapshot at build time: memory of an interpreter that has
 * Vitrine's Python package imported, packed and compressed. `virtual:base-snapshot` tells
 * build and hash of it.
 */
export function baseSnapshot(): Plugin {
  let facts: Promise<BaseSnapshotFacts> | undefined;
  return {
    name: "vitrine:base-snapshot",
    // Before any module is transformed: the file has to be there when its address is.
    async buildStart() {
      await (facts ??= ensureSnapshot());
    },
    resolveId: { filter: { id: /^virtual:base-snapshot$/ }, handler: () => RESOLVED_ID },
    load: {
      filter: { id: /^\0virtual:base-snapshot$/ },
      async handler() {
        return `export default ${JSON.stringify(await (facts ??= ensureSnapshot()))};`;
      },
    },
    hotUpdate({ file }) {
      if (!file.startsWith(python)) return;
      facts = undefined;
      const module = this.environment.moduleGraph.getModuleById(RESOLVED_ID);
      if (module !== undefined) this.environment.moduleGraph.invalidateModule(module);
    },
  };
}

async function ensureSnapshot(): Promise<BaseSnapshotFacts> {
  const files = await packageFiles();
  const buildId = await buildIdOf(files);
  const factsFile = new URL("base-snapshot.json", cache);
  if (existsSync(factsFile) && existsSync(BASE_SNAPSHOT_FILE)) {
    const known = BaseSnapshotFacts.safeParse(JSON.parse(await readFile(factsFile, "utf8")));
    if (known.data?.buildId === buildId) return known.data;
  }
  return once(buildId, () => writeSnapshot(buildId, files, factsFile));
}

/**
 * Vitest loads this file anew for each of its projects, all in one process, and
 * two that make the snapshot at a time would pretend and write across each other.
 */
function once<T>(key: string, make: () => Promise<T>): Promise<T> {
  const name = Symbol.for(`vitrine:base-snapshot:${key}`);
  const begun = Reflect.get(globalThis, name) as Promise<T> | undefined;
  const result = begun ?? make();
  Reflect.set(globalThis, name, result);
  return result;
}

async function writeSnapshot(
  buildId: string,
  files: ReadonlyMap<string, string>,
  factsFile: URL,
): Promise<BaseSnapshotFacts> {
  const snapshot = packSnapshot(await makeSnapshot(files));
  const facts = { buildId, sha256: createHash("sha256").update(snapshot).digest("hex") };
  await mkdir(cache, { recursive: true });
  // Never half a file: another process may be reading.
  await replace(BASE_SNAPSHOT_FILE, await promisify(gzip)(snapshot, { level: 9 }));
  await replace(factsFile, JSON.stringify(facts));
  return facts;
}

async function replace(file: URL, content: string | Uint8Array): Promise<void> {
  const temporary = new URL(`${file.href}.${String(process.pid)}`);
  await writeFile(temporary, content);
  await rename(temporary, file);
}

/** Path below `worker/python/`, to content. */
async function packageFiles(): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(`${python}vitrine`, { recursive: true });
  const names = found.filter((name) => name.endsWith(".py")).map((name) => `vitrine/${normalizePath(name)}`);
  const read = names.sort().map(async (name) => [name, await readFile(`${python}${name}`, "utf8")] as const);
  return new Map(await Promise.all(read));
}

async function buildIdOf(files: ReadonlyMap<string, string>): Promise<string> {
  const hash = createHash("sha256");
  const pyodide = new URL("../node_modules/pyodide/", import.meta.url);
  for (const name of ["package.json", "pyodide-lock.json"]) hash.update(await readFile(new URL(name, pyodide)));
  for (const name of ["packed-snapshot.ts", "vite-plugin-base-snapshot.ts"]) {
    hash.update(await readFile(new URL(name, import.meta.url)));
  }
  for (const [name, content] of files) hash.update(`${name}\0${content}\0`);
  return hash.digest("hex").slice(0, 32);
}

/** Pyodide, as far as it is called here. */
interface SnapshotMaker {
  readonly FS: { mkdirTree(path: string): void; writeFile(path: string, content: string): void };
  runPython(code: string): unknown;
  pyimport(name: string): unknown;
  makeMemorySnapshot(): Uint8Array;
}

/** The steps are those of `makeBaseSnapshot` in worker/prepare-interpreter.ts, which serves where this file is missing. */
async function makeSnapshot(files: ReadonlyMap<string, string>): Promise<Uint8Array> {
  const { loadPyodide } = await import("pyodide");
  const endPretence = pretendStackSwitching();
  try {
    const pyodide: SnapshotMaker = await loadPyodide({
      _makeSnapshot: true,
      // Else the snapshot holds the path of the program that made it, and differs from machine to machine.
      _sysExecutable: "./this.program",
      enableRunUntilComplete: false,
      stdin: () => null,
    });
    const sitePackages = String(pyodide.runPython("import site; site.getsitepackages()[0]"));
    for (const [name, content] of files) {
      const target = `${sitePackages}/${name}`;
      pyodide.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
      pyodide.FS.writeFile(target, content);
    }
    const module = pyodide.pyimport("vitrine._base_snapshot") as { before_snapshot(): void };
    module.before_snapshot();
    return pyodide.makeMemorySnapshot();
  } finally {
    endPretence();
  }
}

/**
 * Pyodide notes once, in the memory that the snapshot copies, whether the engine
 * can switch stacks (JSPI), which this Node may not. Noted as possible, it is
 * tried only where the browser can; nothing waits while the snapshot is made.
 * @returns how to end the pretence.
 */
function pretendStackSwitching(): () => void {
  if ("Suspending" in WebAssembly) return () => undefined;
  const Suspending = function (suspending: unknown): unknown {
    return suspending;
  };
  Object.assign(WebAssembly, { Suspending, promising: (exported: unknown) => exported });
  return () => {
    Reflect.deleteProperty(WebAssembly, "Suspending");
    Reflect.deleteProperty(WebAssembly, "promising");
  };
}
