import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { NONCE } from "../../../src/csp/index.js";
import { startLocalServer } from "../../servers/local-server.js";

/** What becomes of a script: no such file, the page of a site that answers everything with it, no answer at all. */
export type ScriptFailure = "missing" | "page" | "gone";

/** A site with the pages of this folder, and the library beside them. */
export interface WidgetSite {
  /** @param policy - of `vitrine csp`; none where it is undefined. */
  page(name: string, policy?: string): string;
  readonly origin: string;
  /** From now on the scripts of the library whose names begin with this do not come. */
  fail(script: string, how: ScriptFailure): void;
  /** They come again. */
  mend(): void;
  /** The names of the library's files that were asked for since the last page. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const pages = fileURLToPath(new URL("pages", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** @param library - the folder of the built library. */
export async function startWidgetSite(library: string): Promise<WidgetSite> {
  let failing: { readonly script: string; readonly how: ScriptFailure } | null = null;
  let asked: string[] = [];
  const answerLibrary = async (name: string, response: ServerResponse): Promise<void> => {
    asked.push(name);
    const file = normalize(join(library, name));
    if (failing !== null && name.startsWith(failing.script)) {
      if (failing.how === "gone") response.destroy();
      else if (failing.how === "missing") response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
      else response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Not that page</p>");
    } else if (file.startsWith(library + sep) && (await isFile(file))) {
      response.writeHead(200, {
        "content-type": types[extname(file)] ?? "application/octet-stream",
        "access-control-allow-origin": "*",
      });
      createReadStream(file).pipe(response);
    } else response.writeHead(404).end();
  };
  const answerPage = async (name: string, policy: string, response: ServerResponse): Promise<void> => {
    const nonce = randomBytes(16).toString("base64");
    const content = await readFile(join(pages, name), "utf8");
    if (extname(name) === ".html") asked = [];
    const headers = { "content-type": types[extname(name)] ?? "", "cache-control": "no-store" };
    const ofPage = policy.replaceAll(NONCE, nonce);
    response.writeHead(200, policy === "" ? headers : { ...headers, "content-security-policy": ofPage });
    response.end(content.replaceAll("{nonce}", nonce));
  };
  const server = await startLocalServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const [, inLibrary] = /^\/vitrine\/dist\/(.+)$/.exec(pathname) ?? [];
    const [, name] = /^\/([\w-]+\.(?:html|js))$/.exec(pathname) ?? [];
    if (inLibrary !== undefined) void answerLibrary(inLibrary, response);
    else if (name !== undefined) void answerPage(name, searchParams.get("policy") ?? "", response);
    else response.writeHead(404).end();
  });
  return {
    origin: server.origin,
    page: (name, policy) =>
      `${server.origin}/${name}.html${policy === undefined ? "" : `?${new URLSearchParams({ policy }).toString()}`}`,
    fail: (script, how) => {
      failing = { script, how };
    },
    mend: () => {
      failing = null;
    },
    get asked() {
      return asked;
    },
    close: () => server.close(),
  };
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ?? false;
}
