import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { Beats } from "./beats.js";
import { hostileWheels } from "./hostile-wheels.js";
import { slugOfPath, type Listeners } from "./listeners.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

const pyodideFolder = fileURLToPath(new URL("../../../node_modules/pyodide", import.meta.url));

/** Paths below it belong to attempts. */
const TARGET = "/target";

/** Milliseconds for a request that a probe is about to have caused, on a busy machine too. */
const COMING = 5000;

/**
 * Serves the built page, without any header that helps, and what else a site has:
 * a file, a worker and a shared worker that tell the secret to their own origin, and a folder of wheels.
 */
export async function servePage(
  folder: string,
  { listeners, secret }: { listeners: Listeners; secret: string },
): Promise<{ origin: string; beats: Beats; close: () => Promise<void> }> {
  const beats = new Beats();
  const own = new Map([
    ["/private.txt", secret],
    ["/private-worker.js", `postMessage(${JSON.stringify(secret)})`],
    ["/shared-worker.js", `onconnect = ({ ports }) => ports[0].postMessage(${JSON.stringify(secret)})`],
    ["/service-worker.js", ""],
  ]);
  const wheels = await hostileWheels();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/moved") {
      response.writeHead(302, { Location: searchParams.get("to") ?? "/" }).end();
      return;
    }
    if (pathname.startsWith(`${TARGET}/`)) {
      listeners.note({ slug: slugOfPath(pathname.slice(TARGET.length)), what: `the page's own ${pathname}`, bytes: 1 });
      response.writeHead(204).end();
      return;
    }
    const [, verb = "", name = ""] = /^\/(beat|came)\/([\w-]+)/.exec(pathname) ?? [];
    if (verb !== "") {
      void answer(verb, name, searchParams).then((text) =>
        response.writeHead(200, { "Content-Type": "text/plain" }).end(text),
      );
      return;
    }
    const text = own.get(pathname);
    const type = types[extname(pathname)] ?? "text/plain";
    if (text !== undefined) {
      response.writeHead(200, { "Content-Type": type }).end(text);
      return;
    }
    const wheel = wheels.get(pathname.replace(/^\/wheels\//, ""));
    if (wheel !== undefined) {
      response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(wheel);
      return;
    }
    const pyodide = /^\/pyodide\/([\w.-]+)$/.exec(pathname)?.[1];
    const base = pyodide === undefined ? folder : pyodideFolder;
    const file = normalize(join(base, pyodide ?? (pathname === "/" ? "index.html" : pathname)));
    if (!file.startsWith(base + sep)) {
      response.writeHead(404).end();
      return;
    }
    readFile(file).then(
      (content) =>
        response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  async function answer(verb: string, name: string, query: URLSearchParams): Promise<string> {
    if (verb === "beat") return (await beats.beat(name, query.has("ready"))) ? "yes" : "no";
    const end = performance.now() + COMING;
    while (!listeners.probed.has(name) && performance.now() < end) await delay(20);
    return listeners.probed.has(name) ? "yes" : "no";
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The page's server has no port.");
  return {
    origin: `http://127.0.0.1:${String(address.port)}`,
    beats,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
