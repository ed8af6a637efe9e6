import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

import { strFromU8, unzipSync } from "fflate";
import { z } from "zod";

import { allowEveryPage, startLocalServer } from "./local-server.js";

const wheels = new URL("../wheels/", import.meta.url);

export interface PackageServer {
  readonly origin: string;
  /** Paths that were asked for since they were last looked at, in their order. */
  readonly takeRequests: () => string[];
  readonly close: () => Promise<void>;
}

interface PublishedWheel {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly content: Buffer;
  readonly sha256: string;
  readonly metadata: string;
  readonly needs: readonly string[];
}

/**
 * The wheels of test/wheels in the three ways in which packages are served: `/folder/` with an index.json that has hashes,
 * `/pyodide/pyodide-lock.json` with the files beside it, and `/simple/` with its files at `/files/`.
 */
export async function startPackageServer(): Promise<PackageServer> {
  const published = await readWheels();
  const lockfile = await lockfileOf(published);
  const requests: string[] = [];
  const { origin, close } = await startLocalServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    allowEveryPage(response);
    if (request.method === "OPTIONS") {
      response.end();
      return;
    }
    if (pathname === "/requests") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(requests.splice(0)));
      return;
    }
    requests.push(request.method === "GET" ? pathname : `${request.method ?? ""} ${pathname}`);
    const answer = answerTo(pathname, published, lockfile);
    if (answer === undefined) response.writeHead(404).end();
    else {
      response.setHeader("content-type", answer.type);
      response.setHeader("content-length", answer.body.length);
      response.end(request.method === "HEAD" ? undefined : answer.body);
    }
  });
  return { origin, close, takeRequests: () => requests.splice(0) };
}

function answerTo(
  pathname: string,
  published: readonly PublishedWheel[],
  lockfile: object,
): { readonly type: string; readonly body: Buffer } | undefined {
  const json = (value: unknown, type = "application/json"): { readonly type: string; readonly body: Buffer } => {
    return { type, body: Buffer.from(JSON.stringify(value)) };
  };
  if (pathname === "/folder/index.json") {
    return json(published.map(({ file, sha256, content }) => ({ file, sha256, size: content.length })));
  }
  if (pathname === "/pyodide/pyodide-lock.json") return json(lockfile);
  const [, project] = /^\/simple\/([^/]+)\/$/.exec(pathname) ?? [];
  if (project !== undefined) {
    const files = published.filter(({ name }) => name === project);
    if (files.length === 0) return undefined;
    return json(
      { meta: { "api-version": "1.1" }, name: project, files: files.map(indexEntry) },
      "application/vnd.pypi.simple.v1+json",
    );
  }
  const [, file = ""] = /^\/(?:folder|pyodide|files)\/([^/]+)$/.exec(pathname) ?? [];
  const wheel = published.find((each) => file === each.file || file === `${each.file}.metadata`);
  if (wheel === undefined) return undefined;
  if (file.endsWith(".metadata")) return { type: "text/plain", body: Buffer.from(wheel.metadata) };
  return { type: "application/octet-stream", body: wheel.content };
}

function indexEntry({ file, sha256, content, metadata }: PublishedWheel): object {
  return {
    filename: file,
    url: `../../files/${file}`,
    hashes: { sha256 },
    size: content.length,
    "requires-python": ">=3.9",
    yanked: false,
    "core-metadata": { sha256: createHash("sha256").update(metadata).digest("hex") },
  };
}

async function readWheels(): Promise<readonly PublishedWheel[]> {
  const files = (await readdir(wheels)).filter((file) => file.endsWith(".whl")).sort();
  return await Promise.all(
    files.map(async (file) => {
      const content = await readFile(new URL(file, wheels));
      const unpacked = unzipSync(content, { filter: ({ name }) => name.endsWith(".dist-info/METADATA") });
      const metadata = strFromU8(Object.values(unpacked)[0] ?? new Uint8Array());
      const [name = "", version = ""] = file.split("-");
      const needs = Array.from(metadata.matchAll(/^Requires-Dist: ([\w.-]+)[^;\n]*$/gm), ([, need = ""]) =>
        plain(need),
      );
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { file, name: plain(name), version, content, sha256, metadata, needs };
    }),
  );
}

/** A lockfile for these files, with the facts of the one that is shipped. */
async function lockfileOf(published: readonly PublishedWheel[]): Promise<object> {
  const shipped = z
    .object({ info: z.record(z.string(), z.unknown()) })
    .parse(
      JSON.parse(await readFile(new URL("../../node_modules/pyodide/pyodide-lock.json", import.meta.url), "utf8")),
    );
  const packages = published.map(({ file, name, version, sha256, needs }) => [
    name,
    {
      name,
      version,
      file_name: file,
      install_dir: "site",
      sha256,
      package_type: "package",
      imports: [name.replaceAll("-", "_")],
      depends: needs,
      unvendored_tests: false,
    },
  ]);
  return { info: shipped.info, packages: Object.fromEntries(packages) as unknown };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
