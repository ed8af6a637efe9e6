import { fileURLToPath } from "node:url";

import { build, normalizePath, type Plugin } from "vite";

const ID = "virtual:executor-worker";
const RESOLVED_ID = `\0${ID}`;

const root = normalizePath(fileURLToPath(new URL("..", import.meta.url)));
const entry = `${root}worker/executor-worker.ts`;
const sources = [`${root}worker/`, `${root}src/protocol/`];

/**
 * Serves `virtual:executor-worker`: the executor worker with all it imports, the
 * Python package included, as the text of one classic script. Text, because the
 * sealed frame has an opaque origin and can load nothing by address.
 */
export function executorWorker(): Plugin {
  let mode = "production";
  let minify = false;
  return {
    name: "vitrine:executor-worker",
    configResolved(config) {
      mode = config.mode;
      minify = config.command === "build";
    },
    resolveId: { filter: { id: /^virtual:executor-worker$/ }, handler: () => RESOLVED_ID },
    load: {
      filter: { id: /^\0virtual:executor-worker$/ },
      async handler() {
        const { code, modules } = await bundleWorker({ mode, minify });
        for (const file of modules) this.addWatchFile(file);
        return `export default ${JSON.stringify(code)};`;
      },
    },
    // A new file of the Python package is in nobody's import list yet, so folders are watched and not files.
    hotUpdate({ file }) {
      if (!sources.some((folder) => file.startsWith(folder))) return;
      const script = this.environment.moduleGraph.getModuleById(RESOLVED_ID);
      if (script === undefined) return;
      this.environment.moduleGraph.invalidateModule(script);
      this.environment.hot.send({ type: "full-reload" });
      return [];
    },
  };
}

interface WorkerScript {
  readonly code: string;
  readonly modules: readonly string[];
}

async function bundleWorker({ mode, minify }: { mode: string; minify: boolean }): Promise<WorkerScript> {
  const result = await build({
    configFile: false,
    root,
    mode,
    logLevel: "warn",
    publicDir: false,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    build: {
      write: false,
      minify,
      target: "es2023",
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
  const [script, ...rest] = files;
  if (script?.type !== "chunk" || rest.length > 0) {
    throw new Error(
      `The executor worker must be one script, but became ${files.map((file) => file.fileName).join(", ")}.`,
    );
  }
  return { code: script.code, modules: script.moduleIds.map(withoutQuery).filter((id) => id.startsWith(root)) };
}

function withoutQuery(id: string): string {
  return id.replace(/\?.*$/, "");
}
