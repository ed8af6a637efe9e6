import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "vite";

import { baseSnapshot } from "../../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../../worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "../../worker/vite-plugin-worker-scripts.js";

/** Builds the page into a folder of its own, as an application that uses Vitrine would be built. */
export async function buildPage(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "vitrine-faults-"));
  await build({
    configFile: false,
    root: fileURLToPath(new URL("page/", import.meta.url)),
    base: "./",
    logLevel: "warn",
    plugins: [workerScripts(), baseSnapshot(), pyodideRelease()],
    publicDir: false,
    build: { outDir, emptyOutDir: true, target: "es2023", minify: false, modulePreload: false },
  });
  return outDir;
}
