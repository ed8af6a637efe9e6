import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { isBelow } from "./find-pages.js";

/** A site that is served to this machine alone. */
export interface ServedSite {
  /** Of the top of the site, with a slash at its end. */
  readonly url: string;
  /** `http://127.0.0.1` and the port. */
  readonly origin: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** The path at which the site appears: begins and ends with a slash. */
  readonly base: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".gif": "image/gif",
  ".htm": "text/html; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".py": "text/x-python; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
};

/**
 * Serves a folder as a plain host of files would: no headers that help, `index.html` for a folder, `page.html` for `page`. It answers
 * 127.0.0.1 on a free port and no other name, so that no page of another site can read it. Links in the folder are followed, since
 * its author put them there.
 */
export async function serveSite(root: string, { base }: ServeOptions): Promise<ServedSite> {
  let host = "";
  const server = createServer((request, response) => {
    answer(request, response, { root, base, host }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  host = `127.0.0.1:${String(address.port)}`;
  return {
    url: `http://${host}${base}`,
    origin: `http://${host}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Place extends ServeOptions {
  readonly root: string;
  readonly host: string;
}

async function answer(request: IncomingMessage, response: ServerResponse, place: Place): Promise<void> {
  const refuse = (status: number, headers: Readonly<Record<string, string>> = {}): void => {
    response.writeHead(status, { "Content-Type": "text/plain", ...headers }).end(`${String(status)}\n`);
  };
  if (request.headers.host !== place.host) {
    refuse(403);
    return;
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    refuse(405, { Allow: "GET, HEAD" });
    return;
  }
  const [address = "/", query] = (request.url ?? "/").split("?", 2);
  const path = pathIn(address, place);
  if (path === undefined) {
    refuse(404);
    return;
  }
  const found = await fileAt(path);
  if (found === undefined) {
    refuse(404);
    return;
  }
  if (found === "folder") {
    refuse(301, { Location: `${address}/${query === undefined ? "" : `?${query}`}` });
    return;
  }
  response.writeHead(200, {
    "Content-Type": TYPES[extname(found.path).toLowerCase()] ?? "application/octet-stream",
    "Content-Length": found.size,
    "X-Content-Type-Options": "nosniff",
  });
  if (request.method === "HEAD") response.end();
  else await pipeline(createReadStream(found.path), response);
}

/** Undefined for what names nothing below the root. A slash at the end is kept. */
function pathIn(address: string, { root, base }: Place): string | undefined {
  // Two slashes would send a browser to a host of that name.
  if (!address.startsWith(base) || address.startsWith("//")) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(address.slice(base.length));
  } catch {
    return undefined;
  }
  if (decoded.includes("\0") || decoded.includes("\\")) return undefined;
  const path = decoded === "" ? join(root, "/") : join(root, decoded);
  return isBelow(root, path) ? path : undefined;
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
}

async function fileAt(path: string): Promise<FoundFile | "folder" | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return { path, size: found.size };
  if (found?.isDirectory() !== true) return await plainFile(`${path}.html`);
  // Addresses in the page are relative to the folder, which needs its slash.
  return /[/\\]$/.test(path) ? await plainFile(join(path, "index.html")) : "folder";
}

async function plainFile(path: string): Promise<FoundFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? { path, size: found.size } : undefined;
}
