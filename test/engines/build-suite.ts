import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { build } from "vite";

import { executorWorker } from "../../worker/vite-plugin-executor-worker.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const pages = fileURLToPath(new URL("./suite/", import.meta.url));
const outDir = `${root}node_modules/.cache/vitrine-engines`;

/** Builds the suite as an application that uses Vitrine would be built. Answers with its folder. */
export async function buildSuite(): Promise<string> {
  await rm(outDir, { recursive: true, force: true });
  await build({
    configFile: false,
    root: pages,
    base: "./",
    publicDir: false,
    logLevel: "warn",
    plugins: [executorWorker()],
    build: {
      outDir,
      target: "es2023",
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { input: [`${pages}suite.html`] },
    },
  });
  return outDir;
}
