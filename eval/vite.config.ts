import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "../worker/vite-plugin-worker-scripts.js";

/** The page on which the agents work, built as an application that uses Vitrine would be. */
export default defineConfig({
  root: fileURLToPath(new URL("./page/", import.meta.url)),
  base: "/",
  publicDir: false,
  logLevel: "warn",
  plugins: [workerScripts(), baseSnapshot(), pyodideRelease()],
  worker: { format: "es" },
  build: {
    outDir: "../../node_modules/.cache/vitrine-eval",
    target: "es2023",
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
