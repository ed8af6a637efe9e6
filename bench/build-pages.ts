import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { build } from "vite";

import { executorWorker } from "../worker/vite-plugin-executor-worker.js";

export const root = fileURLToPath(new URL("..", import.meta.url));

const pages = fileURLToPath(new URL("./pages/", import.meta.url));
const outDir = `${root}node_modules/.cache/vitrine-bench`;

/** Builds the pages of the benchmark as an application that uses Vitrine would be built. Answers with their folder. */
export async function buildPages(): Promise<string> {
  await rm(outDir, { recursive: true, force: true });
  await build({
    configFile: false,
    root: pages,
    base: "/",
    publicDir: false,
    logLevel: "warn",
    plugins: [executorWorker()],
    worker: { format: "es" },
    build: {
      outDir,
      target: "es2023",
      emptyOutDir: true,
      // A page measures how long it takes to load; it loads what it needs and nothing else.
      rolldownOptions: { input: ["calls", "open-vitrine", "open-bare"].map((name) => `${pages}${name}.html`) },
    },
  });
  return outDir;
}
