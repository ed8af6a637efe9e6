import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { build, normalizePath, type Plugin } from "vite";

const root = normalizePath(fileURLToPath(new URL("..", import.meta.url)));
const sources = [`${root}worker/`, `${root}src/protocol/`];

/** The scripts by the name of their module. */
const entries = new Map([
  ["virtual:executor-worker", `${root}worker/executor-worker.ts`],
  ["virtual:shell-worker", `${root}worker/shell/shell-worker.ts`],
  ["virtual:content-worker", `${root}worker/content/content-worker.ts`],
  ["virtual:search-worker", `${root}worker/search/search-worker.ts`],
  ["virtual:chart-worker", `${root}worker/charts/chart-worker.ts`],
  ["virtual:sqlite-script", `${root}worker/shell/sqlite/sqlite-script.ts`],
]);

/** Python that a session is given to run, as text. */
const texts = new Map([
  ["virtual:test-runner", `${root}worker/python/test_runner.py`],
  ["virtual:text-repair", `${root}worker/python/text_repair.py`],
]);

/** One of all these, as the bundler looks for them; `before` is what stands in front of the name. */
const served = (before: string): RegExp => {
  const names = [...entries.keys(), ...texts.keys()].map((name) => name.replace("virtual:", ""));
  return new RegExp(`^${before}virtual:(?:${names.join("|")})$`);
};

export interface WorkerScriptsOptions {
  /** For the sources of the scripts, which the plugins of the build do not see. */
  readonly plugins?: readonly Plugin[];
}

/**
 * Serves `virtual:executor-worker`, the executor worker with all it imports, the
 * Python package included, `virtual:shell-worker`, `virtual:content-worker`,
 * `virtual:search-worker`, `virtual:chart-worker`, and `virtual:sqlite-script`, which the shell loads when
 * it is needed, each as the text of one classic script; and `virtual:test-runner` and `virtual:text-repair`,
 * which are Python. Text, because the sealed frame has an opaque origin
 * and can load nothing by address.
 */
export function workerScripts({ plugins = [] }: WorkerScriptsOptions = {}): Plugin {
  let mode = "production";
  let minify = false;
  /** The licences of what is in the scripts, by the script's name. */
  const notices = new Map<string, string>();
  return {
    name: "vitrine:worker-scripts",
    configResolved(config) {
      mode = config.mode;
      minify = config.command === "build";
    },
    resolveId: {
      filter: { id: served("") },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: served("\0") },
      async handler(id) {
        const name = id.slice(1);
        const text = texts.get(name);
        if (text !== undefined) {
          this.addWatchFile(text);
          return `export default ${JSON.stringify(await readFile(text, "utf8"))};`;
        }
        const { code, modules, licenses } = await bundleWorker(entries.get(name) ?? "", { mode, minify, plugins });
        notices.set(name, licenses);
        for (const file of modules) this.addWatchFile(file);
        return `export default ${JSON.stringify(code)};`;
      },
    },
    // The build lists the packages of its own modules; a script is a text to it.
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const file = bundle["THIRD_PARTY.md"];
        if (file?.type !== "asset") return;
        const known = String(file.source);
        const added = [...notices.values()].flatMap(sections).filter((section) => !known.includes(title(section)));
        file.source = `${known.trimEnd()}\n\n${[...new Set(added)].join("\n\n")}\n`;
      },
    },
    // A new file of the Python package is in nobody's import list yet, so folders are watched and not files.
    hotUpdate({ file }) {
      if (!sources.some((folder) => file.startsWith(folder))) return;
      const { moduleGraph, hot } = this.environment;
      const scripts = [...entries.keys()].flatMap((id) => moduleGraph.getModuleById(`\0${id}`) ?? []);
      if (scripts.length === 0) return;
      for (const script of scripts) moduleGraph.invalidateModule(script);
      hot.send({ type: "full-reload" });
      return [];
    },
  };
}

interface WorkerScript {
  readonly code: string;
  readonly modules: readonly string[];
  /** The licences of the packages in it, a section each. */
  readonly licenses: string;
}

async function bundleWorker(
  entry: string,
  { mode, minify, plugins }: { mode: string; minify: boolean; plugins: readonly Plugin[] },
): Promise<WorkerScript> {
  const result = await build({
    configFile: false,
    root,
    mode,
    logLevel: "warn",
    publicDir: false,
    plugins: [withoutModuleAddress, pdfReaderAlone, ...plugins],
    resolve: {
      alias: { "node:zlib": `${root}worker/shell/zlib.ts`, "vega-canvas": `${root}worker/charts/canvas.ts` },
    },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      write: false,
      minify,
      target: "es2023",
      license: { fileName: "licenses.md" },
      modulePreload: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      rolldownOptions: {
        input: entry,
        output: { format: "iife", codeSplitting: false },
      },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const files = outputs.flatMap((output) => ("output" in output ? output.output : []));
  const [script, ...rest] = files.filter(({ fileName }) => fileName !== "licenses.md");
  const licenses = files.find(({ fileName }) => fileName === "licenses.md");
  if (script?.type !== "chunk" || rest.length > 0) {
    throw new Error(`${entry} must become one script, but became ${files.map((file) => file.fileName).join(", ")}.`);
  }
  const text = licenses?.type === "asset" ? String(licenses.source) : "";
  return {
    code: script.code,
    licenses: text,
    modules: script.moduleIds.map(withoutQuery).filter((id) => id.startsWith(root)),
  };
}

/** SQLite's package looks for files beside its module, which a script without an address has not; it gets them as bytes. */
const withoutModuleAddress: Plugin = {
  name: "vitrine:without-module-address",
  transform: {
    filter: { id: /[/\\]@sqlite\.org[/\\]/, code: "import.meta.url" },
    handler: (code) => ({ code: code.replaceAll("import.meta.url", '"file:///"'), map: null }),
  },
};

/** Of the PDF package only the reader is used: neither the fonts that it writes with nor modules for their side effects. */
const pdfReaderAlone: Plugin = {
  name: "vitrine:pdf-reader-alone",
  transform: {
    filter: { id: /[/\\]@cantoo[/\\]pdf-lib[/\\]/ },
    handler: (_code, id) => ({
      moduleSideEffects: false,
      ...(id.endsWith(".compressed.json") ? { code: 'export default "";', moduleType: "js", map: null } : {}),
    }),
  },
};

/** One for each package; each begins with a line like `## comlink - 4.4.2 (Apache-2.0)`. */
function sections(licenses: string): string[] {
  return licenses
    .split(/^(?=## .+ - .+ \(.+\)$)/m)
    .slice(1)
    .map((section) => section.trim());
}

function title(section: string): string {
  return section.slice(0, section.indexOf("\n"));
}

function withoutQuery(id: string): string {
  return id.replace(/\?.*$/, "");
}
