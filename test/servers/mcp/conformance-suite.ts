import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { ANSWERS } from "../../timeouts.mjs";
import { allowEveryPage, startLocalServer } from "../local-server.js";

/**
 * Lets the official conformance suite try a page as its client. The suite knows
 * clients as commands; test/mcp-conformance/driver.mjs is one that waits here for the page:
 *
 * - `POST /start`: runs the suite · `POST /client`: a driver brings `{scenario, serverUrl, context}`
 * - `GET /next`: the page takes one, as `{task}`, or the end, as `{summary}`
 * - `POST /done?id=`: the page is through with one, and says `{error}`
 *
 * and since the suite's servers send no CORS headers: `/proxy?url=…` passes any request on, to this machine alone, and
 * `GET /redirect?url=…` tells where an address redirects to, which a page cannot see.
 */
export interface ConformanceSuite {
  readonly origin: string;
  close(): Promise<void>;
}

interface Task {
  readonly id: number;
  readonly scenario: string;
  readonly serverUrl: string;
  readonly context: Readonly<Record<string, unknown>>;
}

export async function startConformanceSuite(): Promise<ConformanceSuite> {
  const desk = new Desk();
  const { origin, close } = await startLocalServer((request, response) => {
    allowEveryPage(response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    desk.answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502);
      response.end(String(error));
    });
  });
  desk.origin = origin;
  return {
    origin,
    close: async () => {
      await desk.end();
      await close();
    },
  };
}

class Desk {
  origin = "";
  #count = 0;
  #summary: string | undefined;
  readonly #tasks: Task[] = [];
  readonly #drivers = new Map<number, ServerResponse>();
  #page: ServerResponse | undefined;
  #running: { readonly kill: () => void; readonly ended: Promise<void> } | undefined;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.origin);
    switch (url.pathname) {
      case "/start":
        this.#running ??= this.#start();
        sendJson(response, {});
        return;
      case "/client":
        this.#count += 1;
        this.#drivers.set(this.#count, response);
        this.#tasks.push({ ...(JSON.parse(await readBody(request)) as Omit<Task, "id">), id: this.#count });
        this.#serve();
        return;
      case "/next":
        this.#page = response;
        this.#serve();
        return;
      case "/done": {
        const id = Number(url.searchParams.get("id"));
        const driver = this.#drivers.get(id);
        this.#drivers.delete(id);
        if (driver !== undefined) sendJson(driver, JSON.parse(await readBody(request)));
        sendJson(response, {});
        return;
      }
      case "/redirect": {
        const answer = await fetch(onThisMachine(url), { redirect: "manual" });
        sendJson(response, { location: answer.headers.get("location"), body: await answer.text() });
        return;
      }
      case "/proxy":
        return passOn(onThisMachine(url), { request, response });
      default:
        response.writeHead(404).end();
    }
  }

  async end(): Promise<void> {
    this.#running?.kill();
    await this.#running?.ended;
  }

  #serve(): void {
    const page = this.#page;
    if (page === undefined) return;
    const task = this.#tasks.shift();
    if (task === undefined && this.#summary === undefined) return;
    this.#page = undefined;
    sendJson(page, task === undefined ? { summary: this.#summary } : { task });
  }

  #start(): { readonly kill: () => void; readonly ended: Promise<void> } {
    const require = createRequire(import.meta.url);
    const folder = dirname(fileURLToPath(import.meta.url));
    const tests = join(folder, "..", "..", "mcp-conformance");
    const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist", "index.js");
    const preloads = [join(tests, "node-20.mjs"), join(folder, "listen-on-loopback.mjs")];
    const driver = `${process.execPath} ${join(tests, "driver.mjs")} ${this.origin}`;
    const child = spawn(
      process.execPath,
      [
        ...preloads.flatMap((file) => ["--import", `file://${file}`]),
        suite,
        ...["client", "--suite", "all", "--verbose", "--timeout", String(ANSWERS), "--command", driver],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const ended = new Promise<void>((resolve) => {
      child.once("close", () => {
        this.#summary = output;
        this.#serve();
        resolve();
      });
    });
    return {
      kill: () => {
        if (child.exitCode === null) child.kill("SIGKILL");
      },
      ended,
    };
  }
}

function onThisMachine(url: URL): URL {
  const target = new URL(url.searchParams.get("url") ?? "");
  if (target.hostname !== "localhost" && target.hostname !== "127.0.0.1") throw new Error("only this machine");
  // The suite's servers say localhost and listen at this address.
  target.hostname = "127.0.0.1";
  return target;
}

const kept = new Set(["host", "origin", "referer", "connection", "content-length", "accept-encoding"]);

async function passOn(
  target: URL,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (!kept.has(name) && !name.startsWith("sec-") && typeof value === "string") headers.set(name, value);
  }
  const gone = new AbortController();
  response.on("close", () => {
    gone.abort();
  });
  const { method = "GET" } = request;
  const body = method === "GET" || method === "HEAD" ? null : await readBody(request);
  const answer = await fetch(target, { method, headers, body, redirect: "manual", signal: gone.signal });
  for (const [name, value] of answer.headers) {
    if (!["content-encoding", "content-length", "transfer-encoding", "connection"].includes(name)) {
      response.setHeader(name, value);
    }
  }
  response.writeHead(answer.status);
  response.flushHeaders();
  try {
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
  } finally {
    response.end();
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
