import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";

import { githubDocumentPath } from "../../bench/tokens/documents.js";
import { startLocalServer, type LocalServer } from "./local-server.js";

/**
 * A server for tools to talk to, on 127.0.0.1. The first part of the path says
 * what browsers are told of an answer:
 *
 * - `/open/…`: any page may read it, with any method and header.
 * - `/closed/…`: nothing is said, so a page of another origin may not read it.
 * - `/simple/…`: any page may read it, but nothing is allowed that needs asking first.
 *
 * Each port has a log of its own, and so has a name behind that (`/open~name/…`), for tests that run beside others.
 *
 * What follows is the same below each:
 *
 * - `/json`, `/text`, `/bytes`, `/big-json`, `/bad-json`, `/empty`, `/untyped`, `/latin1`
 * - `/echo/…`: what arrived, as JSON `{method, url, headers, body}`; `?status=<code>` with that status
 * - `/status/<code>`: that status, with the body `status <code>`
 * - `/slow?ms=<n>`: answers `slow` after so long · `/never`: not at all · `/broken`: half an answer
 * - `/redirect?to=<url>`: 302
 * - `/busy?times=<n>&after=<text>`: 429 with that `Retry-After` for so many requests of the log, then `done`
 * - `/pages?of=<n>&page=<k>`: `[k]`, and, unless it is the last, a `Link` to the next; both with `expose=<header>` where a
 *   page is to see one of another origin
 * - `/size?bytes=<n>`: so many bytes
 * - `/documents/github`: GitHub's OpenAPI document
 * - `/wasi/census.wasm`: the program of test/fixtures/wasi
 * - `/concurrent?n=<n>&ms=<limit>`: waits until n such requests are open at once, or the limit is over, and answers
 *   `{reached, maximum}`. `/concurrent/maximum` and `/concurrent/reset` speak for themselves.
 * - `/log`: every request so far, oldest first, as `{method, url}`; `/log/clear` forgets them
 * - `/knock/<name>`: answers `come in` · `/knocks/<name>`: how often anything came to the former, by whatever method;
 *   nobody clears that
 *
 * `/proxy?url=<url>` fetches that address on 127.0.0.1 and lets any page read the answer.
 */
export interface ToolServer {
  /** `http://127.0.0.1:<port>`, on several ports: a browser opens no more than six connections to one of them. */
  readonly origins: readonly string[];
  close(): Promise<void>;
}

export async function startToolServer(): Promise<ToolServer> {
  const site = new ToolSite();
  const ports = await Promise.all(Array.from({ length: PORTS }, () => listen(site)));
  return {
    origins: ports.map(({ origin }) => origin),
    close: async () => {
      await Promise.all(ports.map(({ close }) => close()));
    },
  };
}

const CENSUS = new URL("../fixtures/wasi/census.wasm", import.meta.url);

/** Times six connections are 24: enough for the twenty calls that tests make at once. */
const PORTS = 4;

function listen(site: ToolSite): Promise<LocalServer> {
  return startLocalServer((request, response) => {
    site.answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
}

interface Received {
  readonly request: IncomingMessage;
  readonly url: URL;
  /** Without the part that says what browsers are told. */
  readonly path: string;
  readonly log: { readonly method: string; readonly url: string }[];
  readonly body: string;
}

type Answer = (received: Received, response: ServerResponse) => void | Promise<void>;

class ToolSite {
  readonly #logs = new Map<string, { readonly method: string; readonly url: string }[]>();
  readonly #knocks = new Map<string, number>();
  readonly #gathering = new Gathering();

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const [, first = "", ...rest] = url.pathname.split("/");
    const [policy = "", name = ""] = first.split("~");
    const path = rest.join("/");
    if (policy === "open" || policy === "simple" || policy === "proxy") {
      response.setHeader("access-control-allow-origin", "*");
    }
    if (policy === "open") {
      response.setHeader("access-control-allow-methods", "*");
      response.setHeader("access-control-allow-headers", "*");
    }
    if (path.startsWith("knock/")) this.#knocks.set(path.slice(6), this.#knocksOf(path.slice(6)) + 1);
    const answer = this.#answerFor(request, { policy, path });
    const of = `${String(request.socket.localPort)} ${name}`;
    const log = this.#logs.get(of) ?? [];
    this.#logs.set(of, log);
    if (!path.startsWith("log")) log.push({ method: request.method ?? "", url: request.url ?? "" });
    await answer({ request, url, path, log, body: await readBody(request) }, response);
  }

  #answerFor({ method }: IncomingMessage, { policy, path }: { policy: string; path: string }): Answer {
    if (method === "OPTIONS") return (_, response) => send(response, { status: 204 });
    if (policy === "proxy") return ({ url }, response) => proxy(url, response);
    const answer = this.#answers.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
    return answer ?? ((_, response) => send(response, { status: 404, type: "text/plain", body: "not found" }));
  }

  readonly #answers: readonly (readonly [string, Answer])[] = [
    ["json", (_, response) => sendJson(response, { city: "Oslo", celsius: 4.5, tags: ["cold", "wet"], none: null })],
    [
      "big-json",
      (_, response) => send(response, { type: "application/json", body: '{"id": 9007199254740993, "n": 1}' }),
    ],
    ["bad-json", (_, response) => send(response, { type: "application/json", body: '{"id": ' })],
    ["text", (_, response) => send(response, { type: "text/plain; charset=utf-8", body: "grüße\n" })],
    [
      "latin1",
      (_, response) => send(response, { type: "text/csv; charset=iso-8859-1", body: Buffer.from("æ;ø", "latin1") }),
    ],
    [
      "bytes",
      (_, response) => send(response, { type: "image/png", body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]) }),
    ],
    ["untyped", (_, response) => send(response, { body: "plain" })],
    ["empty", (_, response) => send(response, { status: 204 })],
    ["status", ({ path }, response) => sendStatus(response, Number(path.split("/")[1]))],
    [
      "echo",
      ({ request, url: { searchParams }, body }, response) => {
        const { method, url, headers } = request;
        const status = Number(searchParams.get("status") ?? 200);
        send(response, { status, type: "application/json", body: JSON.stringify({ method, url, headers, body }) });
      },
    ],
    [
      "redirect",
      ({ url }, response) => {
        response.writeHead(302, { location: url.searchParams.get("to") ?? "/open/json" }).end();
      },
    ],
    ["busy", (received, response) => beBusy(received, response)],
    ["pages", ({ url }, response) => turnPage(url, response)],
    [
      "size",
      ({ url }, response) =>
        send(response, {
          type: "application/octet-stream",
          body: Buffer.alloc(Number(url.searchParams.get("bytes")), 7),
        }),
    ],
    [
      "documents/github",
      async (_, response) => {
        send(response, { type: "application/json", body: await readFile(githubDocumentPath()) });
      },
    ],
    [
      "wasi/census.wasm",
      async (_, response) => {
        send(response, { type: "application/wasm", body: await readFile(CENSUS) });
      },
    ],
    ["slow", ({ url }, response) => slow(Number(url.searchParams.get("ms")), response)],
    ["never", () => {}],
    [
      "broken",
      (_, response) => {
        response.writeHead(200, { "content-type": "text/plain", "content-length": "1000" });
        response.write("half", () => response.destroy());
      },
    ],
    ["concurrent/maximum", (_, response) => sendJson(response, { maximum: this.#gathering.maximum })],
    [
      "concurrent/reset",
      (_, response) => {
        this.#gathering.reset();
        sendJson(response, { maximum: 0 });
      },
    ],
    ["concurrent", ({ url }, response) => this.#gather(url, response)],
    [
      "log/clear",
      ({ log }, response) => {
        log.length = 0;
        sendJson(response, []);
      },
    ],
    ["log", ({ log }, response) => sendJson(response, log)],
    ["knock", (_, response) => send(response, { type: "text/plain", body: "come in" })],
    ["knocks", ({ path }, response) => sendJson(response, this.#knocksOf(path.slice(7)))],
  ];

  #knocksOf(name: string): number {
    return this.#knocks.get(name) ?? 0;
  }

  async #gather({ searchParams }: URL, response: ServerResponse): Promise<void> {
    const limit = Number(searchParams.get("ms") ?? 5000);
    const reached = await this.#gathering.join(Number(searchParams.get("n") ?? 1), limit);
    sendJson(response, { reached, maximum: this.#gathering.maximum });
  }
}

/** Requests that wait for each other. */
class Gathering {
  maximum = 0;
  #open = new Set<() => void>();

  /** Resolves when so many are in at once, with true, or when the milliseconds are over, with false. */
  async join(size: number, limit: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#open.delete(enter);
        resolve(false);
      }, limit);
      const enter = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#open.add(enter);
      this.maximum = Math.max(this.maximum, this.#open.size);
      if (this.#open.size < size) return;
      const all = this.#open;
      this.#open = new Set();
      for (const each of all) each();
    });
  }

  reset(): void {
    this.maximum = 0;
  }
}

async function proxy(url: URL, response: ServerResponse): Promise<void> {
  const target = new URL(url.searchParams.get("url") ?? "");
  if (target.hostname !== "127.0.0.1") {
    send(response, { status: 403, type: "text/plain", body: "only 127.0.0.1" });
    return;
  }
  const answer = await fetch(target);
  send(response, {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "application/octet-stream",
    body: Buffer.from(await answer.arrayBuffer()),
  });
}

function beBusy({ url: { searchParams }, log }: Received, response: ServerResponse): void {
  expose(searchParams, response);
  const before = log.filter(({ url }) => url.includes("/busy?")).length - 1;
  if (before >= Number(searchParams.get("times"))) {
    send(response, { type: "text/plain", body: "done" });
    return;
  }
  response.setHeader("retry-after", searchParams.get("after") ?? "");
  sendStatus(response, 429);
}

function turnPage({ pathname, searchParams }: URL, response: ServerResponse): void {
  expose(searchParams, response);
  const page = Number(searchParams.get("page") ?? 1);
  if (page < Number(searchParams.get("of"))) {
    const next = new URLSearchParams(searchParams);
    next.set("page", String(page + 1));
    response.setHeader("link", `<${pathname}?${next.toString()}>; rel="next"`);
  }
  sendJson(response, [page]);
}

function expose(searchParams: URLSearchParams, response: ServerResponse): void {
  const header = searchParams.get("expose");
  if (header !== null) response.setHeader("access-control-expose-headers", header);
}

function slow(milliseconds: number, response: ServerResponse): void {
  const timer = setTimeout(() => {
    send(response, { type: "text/plain", body: "slow" });
  }, milliseconds);
  response.on("close", () => {
    clearTimeout(timer);
  });
}

function sendStatus(response: ServerResponse, status: number): void {
  send(response, { status, type: "text/plain", body: `status ${String(status)}` });
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, { type: "application/json", body: JSON.stringify(value) });
}

interface Content {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Buffer;
}

function send(response: ServerResponse, { status = 200, type, body }: Content): void {
  response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
