import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../../../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../../../worker/vite-plugin-pyodide-release.js";
import { takeAwayWalls } from "../walls/take-away.js";
import { workerScripts } from "../../../worker/vite-plugin-worker-scripts.js";

const inFolder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * The page of the suite is built as an application that uses Vitrine would be; with `--mode walls` it can do without each wall
 * in turn.
 */
export default defineConfig(({ mode }) => ({
  root: inFolder("."),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  plugins:
    mode === "walls"
      ? [takeAwayWalls(), workerScripts({ plugins: [takeAwayWalls()] }), baseSnapshot(), pyodideRelease()]
      : [workerScripts(), baseSnapshot(), pyodideRelease()],
  build: {
    outDir: fileURLToPath(
      new URL(`../../../node_modules/.cache/vitrine-escape${mode === "walls" ? "-walls" : ""}`, import.meta.url),
    ),
    target: "es2023",
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: { input: ["index.html", "plain.html"].map(inFolder) },
  },
}));
