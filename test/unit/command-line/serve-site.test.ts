import { symlink } from "node:fs/promises";
import { request } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";

import { serveSite, type ServedSite } from "../../../src/command-line/check-site/serve-site.js";
import { TrialSite } from "./trial-site.js";

let folder: TrialSite;
let site: ServedSite;

beforeAll(async () => {
  folder = await TrialSite.create();
  await folder.write("secret.txt", "secret");
  await folder.write("package/widget.js", "export {};");
  await folder.write("site-more/other.html", "other");
  await folder.write("site/index.html", "top");
  await folder.write("site/page.html", "page");
  await folder.write("site/guide/index.html", "guide");
  await folder.write("site/empty/x.bin", new Uint8Array([0, 1]));
  await folder.write("site/python.wasm", new Uint8Array([0, 97, 115, 109]));
  await folder.write("site/größe.mjs", "export {};");
  await symlink(folder.path("package"), folder.path("site/vitrine"), "dir");
  site = await serveSite(folder.path("site"), { base: "/docs/" });
});
afterAll(async () => {
  await site.close();
  await folder.remove();
});

interface Answer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** As it is: `fetch` would take dots out of a path. */
function ask(path: string, { method = "GET", host }: { method?: string; host?: string } = {}): Promise<Answer> {
  const { port } = new URL(site.url);
  const headers = host === undefined ? {} : { host };
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () => {
        const { "content-type": type, location } = response.headers;
        resolve({ status: response.statusCode, type, location, text });
      });
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  { path: "/docs/", type: "text/html; charset=utf-8", text: "top" },
  { path: "/docs/index.html?x=1", type: "text/html; charset=utf-8", text: "top" },
  { path: "/docs/page", type: "text/html; charset=utf-8", text: "page" },
  { path: "/docs/guide/", type: "text/html; charset=utf-8", text: "guide" },
  { path: "/docs/gr%C3%B6%C3%9Fe.mjs", type: "text/javascript; charset=utf-8", text: "export {};" },
  { path: "/docs/python.wasm", type: "application/wasm", text: "\0asm" },
  { path: "/docs/empty/x.bin", type: "application/octet-stream", text: "\0\u0001" },
  // A link of the site's author.
  { path: "/docs/vitrine/widget.js", type: "text/javascript; charset=utf-8", text: "export {};" },
])("$path is $type", async ({ path, type, text }) => {
  expect(await ask(path)).toEqual({ status: 200, type, location: undefined, text });
});

test("a folder is sent to its slash, with the query", async () => {
  expect(await ask("/docs/guide?x=1")).toMatchObject({ status: 301, location: "/docs/guide/?x=1" });
});

test.each([
  "/docs/../secret.txt",
  "/docs/%2e%2e/secret.txt",
  "/docs/..%2fsecret.txt",
  "/docs/guide/../../secret.txt",
  "/docs/../site-more/other.html",
  "/docs/..%5csecret.txt",
  "/docs/%00",
  "/docs/%zz",
  "/docs/empty/",
  "/docs/missing.js",
  "/",
  "//docs/guide",
  "/secret.txt",
])("%s is not there", async (path) => {
  expect(await ask(path)).toMatchObject({ status: 404, text: "404\n" });
});

test("only what reads is answered", async () => {
  expect(await ask("/docs/", { method: "POST" })).toMatchObject({ status: 405 });
  expect(await ask("/docs/", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
});

test("a page of another name cannot read the site", async () => {
  expect(await ask("/docs/", { host: "rebound.example" })).toMatchObject({ status: 403 });
});
