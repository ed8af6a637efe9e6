import { readFile } from "node:fs/promises";

import type { Plugin } from "vite";
import { z } from "zod";

const folder = new URL("../node_modules/pyodide/", import.meta.url);
const id = "virtual:pyodide-release";

/** Serves `virtual:pyodide-release`: where the release of Pyodide that is shipped says that its packages lie. */
export function pyodideRelease(): Plugin {
  return {
    name: "vitrine:pyodide-release",
    resolveId: (wanted) => (wanted === id ? `\0${id}` : undefined),
    load: async (wanted) => {
      if (wanted !== `\0${id}`) return undefined;
      return `export default ${JSON.stringify({ packageFilesURL: await packageFilesURL() })};`;
    },
  };
}

/** The default of `packageBaseUrl`, as the loader has it: an address with the version left open. */
async function packageFilesURL(): Promise<string> {
  const loader = await readFile(new URL("pyodide.mjs", folder), "utf8");
  const [, start, end] = /packageBaseUrl\s*\?\?\s*`(https:[^`$]*)\$\{\w+\}([^`$]*)`/.exec(loader) ?? [];
  if (start === undefined || end === undefined) {
    throw new Error("pyodide.mjs does not name an address of its packages as it did: see packageFilesURL().");
  }
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(new URL("package.json", folder), "utf8")));
  return new URL(`${start}${version}${end}`).href;
}
