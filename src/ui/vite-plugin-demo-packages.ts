import { readdir, readFile } from "node:fs/promises";

import type { Plugin } from "vite";

/** The wheels that tests install, too: see the README there. */
const folder = new URL("../../test/wheels/", import.meta.url);

/** Where the page finds them. */
const PATH = "packages/";

/** Brings the small folder of packages to the demo, as any site would serve one of its own. */
export function demoPackages(): Plugin {
  return {
    name: "vitrine:demo-packages",
    apply: (_config, { mode }) => mode !== "library",
    configureServer(server) {
      server.middlewares.use(`/${PATH}`, (request, response, next) => {
        const file = new URL(request.url ?? "/", "http://localhost").pathname.slice(1);
        served()
          .then((files) => {
            if (!files.includes(file)) {
              next();
              return;
            }
            return readFile(new URL(file, folder)).then((content) => {
              response.setHeader("Content-Type", file.endsWith(".json") ? "application/json" : "application/zip");
              response.end(content);
            });
          })
          .catch(next);
      });
    },
    async generateBundle() {
      for (const file of await served()) {
        this.emitFile({ type: "asset", fileName: PATH + file, source: await readFile(new URL(file, folder)) });
      }
    },
  };
}

async function served(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((file) => file === "index.json" || file.endsWith(".whl"));
}
