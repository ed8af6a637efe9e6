import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { demoPackages } from "../../src/ui/vite-plugin-demo-packages.js";
import { baseSnapshot } from "../../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../../worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "../../worker/vite-plugin-worker-scripts.js";

/** The page, built as any page with Vitrine would be, with the wheels of test/wheels in `packages/` beside it. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  publicDir: false,
  // How large its chunks are does not matter here.
  logLevel: "error",
  define: { VITRINE_COMMIT: JSON.stringify(commit()) },
  plugins: [workerScripts(), baseSnapshot(), pyodideRelease(), demoPackages()],
  build: {
    outDir: fileURLToPath(new URL("../../node_modules/.cache/vitrine-packages-check", import.meta.url)),
    target: "es2023",
    emptyOutDir: true,
    rolldownOptions: { input: "packages-check.html" },
  },
});

function commit(): string {
  const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    // Results are written into the documents; they change nothing that is checked.
    const isChanged = git("status", "--porcelain", "--", ":/src", ":/worker", ":/test", ":/package-lock.json") !== "";
    return `${git("rev-parse", "--short=10", "HEAD")}${isChanged ? " with changes" : ""}`;
  } catch {
    return "unknown";
  }
}
