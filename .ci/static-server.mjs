// A plain file server, as GitHub Pages or a CDN would be: no rewriting, no headers to help us.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types = {
  ".css": "text/css",
  ".csv": "text/csv",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
};

/**
 * Serves `folder` on 127.0.0.1. `base` is the path it appears at ("/" unless told), `headers` go with every answer.
 * Resolves with the `url` of the folder and a `close()`.
 */
export async function serveFolder(folder, { base = "/", headers = {}, port = 0 } = {}) {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const file = fileOf(request.url ?? "/");
    if (file === null) {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("Not found");
      return;
    }
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  });

  function fileOf(url) {
    const path = decodeURIComponent(new URL(url, "http://127.0.0.1").pathname);
    if (!path.startsWith(base)) return null;
    const file = normalize(join(folder, path.slice(base.length)));
    if (file !== normalize(folder) && !file.startsWith(normalize(folder + sep))) return null;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return existingFile(join(file, "index.html"));
    return stats?.isFile() ? file : null;
  }

  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function existingFile(file) {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
}
