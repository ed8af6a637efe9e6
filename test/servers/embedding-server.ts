import type { IncomingMessage, ServerResponse } from "node:http";

import { startLocalServer, type LocalServer } from "./local-server.js";

/**
 * Pages of another origin that embed Vitrine, on 127.0.0.1.
 *
 * `/page?policy=<csp>&module=<url>&options=<json>` is a page with that Content
 * Security Policy as a header (none when it is empty), which loads the module.
 * The module finds `options` in its page's address.
 *
 * `/files/<path>` keeps what is sent there with PUT, and lets any page read it.
 */
export type EmbeddingServer = LocalServer;

/** Of the page's script, for a policy by nonces. */
const NONCE = "abc";

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const files = new Map<string, Buffer>();
  return startLocalServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname.startsWith("/files/")) {
      void exchangeFile(files, request, response);
      return;
    }
    if (pathname !== "/page") {
      response.writeHead(404).end();
      return;
    }
    const policy = searchParams.get("policy") ?? "";
    const module = escapeAttribute(searchParams.get("module") ?? "");
    const headers = { "content-type": "text/html; charset=utf-8" };
    response.writeHead(200, policy === "" ? headers : { ...headers, "content-security-policy": policy });
    response.end(
      `<!doctype html><title>Embedding page</title><body><script type="module" nonce="${NONCE}" src="${module}"></script></body>`,
    );
  });
}

async function exchangeFile(
  files: Map<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "*");
  const path = request.url ?? "";
  if (request.method === "PUT") {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    files.set(path, Buffer.concat(chunks));
  }
  const file = request.method === "GET" ? files.get(path) : Buffer.alloc(0);
  response.writeHead(file === undefined ? 404 : 200).end(file);
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
