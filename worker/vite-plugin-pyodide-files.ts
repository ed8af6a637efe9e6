import { readFile } from "node:fs/promises";
import { posix } from "node:path";

import type { Plugin, Rolldown } from "vite";
import { z } from "zod";

import { BASE_SNAPSHOT_FILE } from "./vite-plugin-base-snapshot.js";

const files = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

const folder = new URL("../node_modules/pyodide/", import.meta.url);

/** A name that survives bundling and minifying, until the final text is known. Vite would inline the file otherwise. */
const PLACEHOLDER = /__VITRINE_PYODIDE_FILE__\(["'`]([\w.-]+)["'`]\)/g;

/**
 * Brings the Pyodide files to the page unchanged.
 *
 * The development server would rewrite the two scripts as if the page imported them, so they are answered here. A
 * build of the demo carries all five along by itself. The library build puts them into `pyodide/`, scripts as
 * `*.mjs.txt` so that nobody's development server rewrites them either.
 */
export function pyodideFiles(): Plugin[] {
  return [serveScripts(), packFiles(), nameLicence()];
}

function serveScripts(): Plugin {
  return {
    name: "vitrine:serve-pyodide-scripts",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = request.url?.match(/\/node_modules\/pyodide\/([\w.]+\.mjs)(?:\?|$)/)?.[1];
        if (path === undefined || !files.includes(path)) {
          next();
          return;
        }
        for (const [name, value] of Object.entries(server.config.server.headers)) {
          if (value !== undefined) response.setHeader(name, value);
        }
        response.setHeader("Content-Type", "text/javascript");
        readFile(new URL(path, folder)).then((content) => response.end(content), next);
      });
    },
  };
}

function packFiles(): Plugin {
  const reference =
    /new URL\(\s*"(?:\.\.\/)+node_modules\/(?:pyodide|\.cache\/vitrine)\/([\w.-]+)",\s*import\.meta\.url\s*\)/g;
  return {
    name: "vitrine:pack-pyodide-files",
    apply: (_config, { command, mode }) => command === "build" && mode === "library",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: /node_modules\/(?:pyodide|\.cache\/vitrine)\// },
      handler: (code) => ({
        code: code.replace(reference, (_, name: string) => `__VITRINE_PYODIDE_FILE__("${packedName(name)}")`),
        map: null,
      }),
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        for (const name of files) {
          const source = await readFile(new URL(name, folder));
          this.emitFile({ type: "asset", fileName: `pyodide/${packedName(name)}`, source });
        }
        const snapshot = await readFile(BASE_SNAPSHOT_FILE);
        this.emitFile({ type: "asset", fileName: "pyodide/base-snapshot.bin", source: snapshot });
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== "chunk") continue;
          const up = posix.relative(posix.dirname(chunk.fileName), ".");
          placeAddresses(chunk, `./${posix.join(up, "pyodide")}`);
        }
      },
    },
  };
}

/** Leaves the addresses of the packed files as they are, where Vite would put the files themselves into the script. */
export function keepPyodideAddresses(): Plugin {
  const address = /new URL\(\s*[`"']\.\/pyodide\/([\w.-]+)[`"']\s*,\s*import\.meta\.url\s*\)/g;
  return {
    name: "vitrine:keep-pyodide-addresses",
    enforce: "pre",
    transform: {
      filter: { code: /\.\/pyodide\// },
      handler: (code) => ({ code: code.replace(address, `__VITRINE_PYODIDE_FILE__("$1")`), map: null }),
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) if (chunk.type === "chunk") placeAddresses(chunk, "./pyodide");
      },
    },
  };
}

/** Puts addresses for the placeholders, into a script that is minified already. */
function placeAddresses(chunk: Rolldown.OutputChunk, folder: string): void {
  chunk.code = chunk.code.replace(PLACEHOLDER, (_, name: string) => `new URL("${folder}/${name}", import.meta.url)`);
}

const notice = `
## Pyodide

License: MPL-2.0
Repository: https://github.com/pyodide/pyodide

Pyodide's files are carried unchanged. Their source, and the text of the licence, are in the repository above at the
tag of version VERSION. Pyodide contains CPython (Python Software Foundation License Version 2,
https://docs.python.org/3/license.html) and the libraries that CPython is built with.
`;

const Manifest = z.object({ version: z.string() });

/** Adds Pyodide, which no module imports, to the notices that Vite writes. */
function nameLicence(): Plugin {
  return {
    name: "vitrine:name-pyodide-licence",
    apply: "build",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const notices = bundle["THIRD_PARTY.md"];
        if (notices?.type !== "asset") throw new Error("Vite wrote no THIRD_PARTY.md.");
        const { version } = Manifest.parse(JSON.parse(await readFile(new URL("package.json", folder), "utf8")));
        notices.source = `${String(notices.source).trimEnd()}\n${notice.replace("VERSION", version)}`;
      },
    },
  };
}

function packedName(name: string): string {
  return name.endsWith(".mjs") ? `${name}.txt` : name;
}
