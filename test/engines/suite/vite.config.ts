import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../../../worker/vite-plugin-base-snapshot.js";
import { executorWorker } from "../../../worker/vite-plugin-executor-worker.js";

/** The suite is built as an application that uses Vitrine would be, and is no part of the demo or the library. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  plugins: [executorWorker(), baseSnapshot()],
  build: {
    outDir: fileURLToPath(new URL("../../../node_modules/.cache/vitrine-engines", import.meta.url)),
    target: "es2023",
    emptyOutDir: true,
    rolldownOptions: { input: "suite.html" },
  },
});
