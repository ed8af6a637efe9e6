import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "vite";

import { executorWorker } from "../../worker/vite-plugin-executor-worker.js";

/** Builds the page of the suite into a folder of its own. */
export async function buildPage(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "vitrine-escape-"));
  await build({
    configFile: false,
    root: fileURLToPath(new URL("page/", import.meta.url)),
    base: "./",
    logLevel: "warn",
    plugins: [executorWorker()],
    publicDir: false,
    build: { outDir, emptyOutDir: true, target: "es2023", minify: false, modulePreload: false },
  });
  return outDir;
}
