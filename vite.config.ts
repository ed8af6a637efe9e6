import { fileURLToPath } from "node:url";

import { defineConfig, type Plugin, type Rolldown, type UserConfig } from "vite";

import { demoPackages } from "./src/ui/vite-plugin-demo-packages.js";
import { firstScreen } from "./src/ui/vite-plugin-first-screen.js";
import { baseSnapshot } from "./worker/vite-plugin-base-snapshot.js";
import { pyodideRelease } from "./worker/vite-plugin-pyodide-release.js";
import { workerScripts } from "./worker/vite-plugin-worker-scripts.js";
import { keepPyodideAddresses, pyodideFiles } from "./worker/vite-plugin-pyodide-files.js";

/**
 * `vite build` makes the demo, `vite build --mode library` the package; from that, `--mode single-file` its one script,
 * and `--mode command-line` its program.
 */
export default defineConfig(({ mode }) => {
  if (mode === "command-line") return commandLine;
  return mode === "single-file" ? singleFile : forPages(mode);
});

const forPages = (mode: string): UserConfig => ({
  base: "./",
  plugins: [
    workerScripts(),
    pyodideFiles(),
    baseSnapshot(),
    pyodideRelease(),
    demoPackages(),
    firstScreen(),
    withoutFormats(),
  ],
  server: { host: "127.0.0.1" },
  preview: { host: "127.0.0.1" },
  // Packages that are found late, like openai at its first use, would make the dev server reload the page.
  optimizeDeps: {
    include: [
      "@ai-sdk/openai-compatible",
      "ai",
      "axe-core",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
      "@renovatebot/pep440",
      "comlink",
      "fflate",
      "gpt-tokenizer/encoding/o200k_base",
      "idb-keyval",
      "lit",
      "lit/directives/repeat.js",
      "lit/directives/style-map.js",
      "lit/directives/until.js",
      "openai",
      "yaml",
      "zod",
    ],
  },
  ...(mode === "library" ? library : demo),
});

/** Without the underscore that stands for "virtual:": GitHub Pages leaves such files out. */
function chunkFileName({ name }: { name: string }): string {
  return `${name.replace(/^_virtual_/, "")}-[hash].js`;
}

const demo: UserConfig = {
  build: {
    outDir: "dist-demo",
    target: "es2023",
    license: { fileName: "THIRD_PARTY.md" },
    rolldownOptions: { output: { chunkFileNames: (chunk) => `assets/${chunkFileName(chunk)}` } },
  },
};

/** Small modules that nearly all others use: a chunk for each would cost more than what is in it. */
const everywhere = {
  name: "protocol",
  test: /\/src\/protocol\/(?:count-parts|errors|json|random-id|signal-text|slices|text|unless-aborted|value|value-depth|value-size)\.ts$/,
};

/** What a page fetches before it can do anything. */
const firstLoads = fileURLToPath(new URL("src/index.ts", import.meta.url));

let modulesLoadedFirst: ReadonlySet<string> | undefined;

/**
 * One chunk of all that the library loads at first. Each module of it that something later shares would else be a file of
 * its own, and a page without a bundler would fetch some eighty, one level of imports after the other.
 */
const core = {
  debugName: "core",
  name: (id: string, graph: Rolldown.ChunkingContext): string | null => {
    modulesLoadedFirst ??= importsOf(firstLoads, graph);
    return id !== firstLoads && modulesLoadedFirst.has(id) ? "core" : null;
  },
};

/** What a module imports, and what that imports, without what is loaded on demand. */
function importsOf(entry: string, graph: Rolldown.ChunkingContext): Set<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

const library: UserConfig = {
  publicDir: false,
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    outDir: "dist",
    target: "es2023",
    // Colours for light and dark pages stay `light-dark()`: what stands for it in older browsers works in documents alone.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    sourcemap: true,
    license: { fileName: "THIRD_PARTY.md" },
    lib: {
      entry: {
        vitrine: "src/index.ts",
        widget: "src/ui/widget/index.ts",
        output: "src/ui/widget/output/index.ts",
        "markdown-it": "src/fences/index.ts",
        remark: "src/fences/remark-cells.ts",
      },
      formats: ["es"],
      fileName: (_format, name) => `${name}.js`,
    },
    // Vite leaves blanks in an ES library. A page that imports it from a CDN has nobody else to take them out; the maps
    // show whoever debugs it the source.
    rolldownOptions: {
      output: { chunkFileNames: chunkFileName, minify: true, codeSplitting: { groups: [everywhere, core] } },
    },
  },
};

/**
 * All of the library in one script, for a page whose author copies a file. It is made of what the library build wrote, so it is
 * the same code, and takes a second. It has no map: that would weigh more than the rest of the package's scripts.
 */
const singleFile: UserConfig = {
  publicDir: false,
  plugins: [keepPyodideAddresses()],
  build: {
    outDir: "dist",
    emptyOutDir: false,
    target: "es2023",
    lib: { entry: { "vitrine.single": "dist/vitrine.js" }, formats: ["es"], fileName: (_format, name) => `${name}.js` },
    rolldownOptions: {
      output: {
        minify: true,
        codeSplitting: false,
        postBanner:
          "/*! Vitrine. MIT License. THIRD_PARTY.md of the package has the licences of what is in this file. */",
      },
    },
  },
};

/** The program `vitrine`: one script with all that it needs but Node. */
const commandLine: UserConfig = {
  publicDir: false,
  plugins: [pyodideRelease()],
  ssr: { noExternal: true },
  build: {
    outDir: "dist/command-line",
    target: "node20",
    license: { fileName: "THIRD_PARTY.md" },
    ssr: "src/command-line/main.ts",
    rolldownOptions: { output: { entryFileNames: "vitrine.js", codeSplitting: false } },
  },
};

/** Leaves out what the validator of JSON Schema checks `format` with: that keyword is an annotation here, and never handed to it. */
function withoutFormats(): Plugin {
  return {
    name: "without-formats",
    apply: "build",
    load: (id) => (id.endsWith("/@cfworker/json-schema/dist/esm/format.js") ? "export const format = {};" : undefined),
  };
}
