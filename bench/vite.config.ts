import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { baseSnapshot } from "../worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "../worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "../worker/vite-plugin-worker-scripts.js";

const pages = fileURLToPath(new URL("./pages/", import.meta.url));
const names = [
  ...[
    "agents",
    "blank",
    "calls",
    "imports",
    "interrupts",
    "tools",
    "open-bare",
    "open-vitrine",
    "spares",
    "write-code",
  ],
  ...["packages-bare", "packages-vitrine"],
];

/** Loaded by its name into pages that are not built. */
const PROBE = "widget-probe";

/** The pages of the benchmark, built as an application that uses Vitrine would be. */
export default defineConfig({
  root: pages,
  base: "/",
  publicDir: false,
  logLevel: "warn",
  plugins: [workerScripts(), baseSnapshot(), pyodideRelease()],
  worker: { format: "es" },
  build: {
    outDir: "../../node_modules/.cache/vitrine-bench",
    target: "es2023",
    emptyOutDir: true,
    // A page measures how long it takes to load; it loads what it needs and nothing else.
    rolldownOptions: {
      input: [...names.map((name) => `${pages}${name}.html`), `${pages}${PROBE}.ts`],
      output: { entryFileNames: ({ name }) => (name === PROBE ? "[name].js" : "assets/[name]-[hash].js") },
    },
  },
});
