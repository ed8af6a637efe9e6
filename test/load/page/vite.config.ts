import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../../../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../../../worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "../../../worker/vite-plugin-worker-scripts.js";
import { takeAwayWalls } from "../../escape/walls/take-away.js";
import { edits, reports } from "../bounds.js";
import { hostilePackages } from "./vite-plugin-hostile-packages.js";

/** The page of the suite: built as an application would be, but for bounds that its address takes away. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  plugins: [
    takeAwayWalls([...edits, ...reports]),
    workerScripts(),
    baseSnapshot(),
    pyodideRelease(),
    hostilePackages(),
  ],
  worker: { format: "es" },
  build: {
    outDir: fileURLToPath(new URL("../../../node_modules/.cache/vitrine-load", import.meta.url)),
    target: "es2023",
    emptyOutDir: true,
    modulePreload: false,
  },
});
