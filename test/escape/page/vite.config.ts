import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../../../worker/vite-plugin-base-snapshot.js";
import { executorWorker } from "../../../worker/vite-plugin-executor-worker.js";

/** The page of the suite is built as an application that uses Vitrine would be. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  plugins: [executorWorker(), baseSnapshot()],
  build: {
    outDir: fileURLToPath(new URL("../../../node_modules/.cache/vitrine-escape", import.meta.url)),
    target: "es2023",
    emptyOutDir: true,
    modulePreload: false,
  },
});
