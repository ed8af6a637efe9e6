import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".py": "text/x-python",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".zip": "application/zip",
};

/** What has been compressed already gains nothing. */
const COMPRESSIBLE = new Set([".css", ".html", ".js", ".json", ".mjs", ".py", ".svg", ".wasm"]);

export interface ServerOptions {
  /** Folders, or single files, by the path at which they appear; the first that fits is taken. */
  readonly folders: readonly (readonly [path: string, folder: string])[];
  /** Sends the headers that make a page cross-origin isolated. */
  readonly isolated?: boolean;
  /** Bytes per second, over all connections together. Default: no limit. */
  readonly rate?: number;
  /** Compresses what can be, as people's servers do. Default: nothing is. */
  readonly gzip?: boolean;
}

export interface BenchServer {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** A file server on 127.0.0.1 whose answers a browser may keep for good, as those of a CDN. */
export async function startServer(options: ServerOptions): Promise<BenchServer> {
  const { folders, isolated = false, rate = Infinity, gzip = false } = options;
  const throttle = createThrottle(rate);
  const server = createServer((request, response) => {
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    const file = fileOf(request.url ?? "/", folders);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const compressed = gzip && COMPRESSIBLE.has(extname(file.path)) ? compressedFile(file.path) : undefined;
    response.writeHead(200, {
      "Content-Type": types[extname(file.path)] ?? "application/octet-stream",
      "Content-Length": compressed?.byteLength ?? file.size,
      ...(compressed === undefined ? {} : { "Content-Encoding": "gzip" }),
      "Cache-Control": extname(file.path) === ".html" ? "no-cache" : "public, max-age=31536000, immutable",
    });
    void send(compressed === undefined ? chunksOf(file.path) : slicesOf(compressed), { response, throttle });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function fileOf(url: string, folders: ServerOptions["folders"]): { path: string; size: number } | undefined {
  const { pathname } = new URL(url, "http://127.0.0.1");
  const [prefix, folder] = folders.find(([path]) => pathname.startsWith(path)) ?? [];
  if (prefix === undefined || folder === undefined) return undefined;
  const path = normalize(join(folder, decodeURIComponent(pathname.slice(prefix.length)))).replace(/[/\\]$/, "");
  if (path !== normalize(folder) && !path.startsWith(normalize(folder + sep))) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? { path, size: stats.size } : undefined;
}

/** By path: the files do not change while they are served. */
const compressedFiles = new Map<string, Buffer>();

function compressedFile(path: string): Buffer {
  const known = compressedFiles.get(path);
  if (known !== undefined) return known;
  const compressed = gzipSync(readFileSync(path));
  compressedFiles.set(path, compressed);
  return compressed;
}

/** Bytes that leave in one go. */
const CHUNK = 32_768;

function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: CHUNK });
}

function slicesOf(content: Buffer): AsyncIterable<Buffer> {
  const starts = Array.from({ length: Math.ceil(content.byteLength / CHUNK) }, (_, index) => index * CHUNK);
  return Readable.from(starts.map((start) => content.subarray(start, start + CHUNK)));
}

type Throttle = (bytes: number) => Promise<void>;

interface Sending {
  readonly response: ServerResponse;
  readonly throttle: Throttle;
}

async function send(content: AsyncIterable<Buffer>, { response, throttle }: Sending): Promise<void> {
  try {
    for await (const chunk of content) {
      await throttle(chunk.byteLength);
      if (response.destroyed) return;
      response.write(chunk);
    }
    response.end();
  } catch {
    response.destroy();
  }
}

/** One line for all connections: each chunk leaves when those before it have had their time. */
function createThrottle(rate: number): Throttle {
  let free = 0;
  return async (bytes) => {
    if (rate === Infinity) return;
    free = Math.max(free, performance.now()) + (bytes / rate) * 1000;
    const wait = free - performance.now();
    if (wait > 1) await delay(wait);
  };
}
