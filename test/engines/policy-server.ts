import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";

import { NONCE } from "../../src/csp/index.js";
import { startLocalServer, type LocalServer } from "../servers/local-server.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** A site in the folder, whose `/policy.html?policy=<csp>` has that policy, with a nonce of its own in each answer. */
export function startPolicyServer(folder: string): Promise<LocalServer> {
  return startLocalServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const file = normalize(join(folder, pathname));
    if (!file.startsWith(normalize(folder + sep))) {
      response.writeHead(404).end();
      return;
    }
    const nonce = randomBytes(16).toString("base64");
    const headers = {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "access-control-allow-origin": "*",
    };
    const policy = searchParams.get("policy")?.replaceAll(NONCE, nonce) ?? "";
    void readFile(file).then(
      (content) => {
        response.writeHead(200, policy === "" ? headers : { ...headers, "content-security-policy": policy });
        response.end(extname(file) === ".html" ? content.toString("utf8").replaceAll("{nonce}", nonce) : content);
      },
      () => response.writeHead(404).end(),
    );
  });
}
