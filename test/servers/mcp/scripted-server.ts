import type { IncomingMessage, ServerResponse } from "node:http";

import { allowEveryPage, startLocalServer, type LocalServer } from "../local-server.js";

/**
 * A server that speaks MCP of 2025 badly, on 127.0.0.1. The path says how:
 *
 * - `/paged`: its three tools come on three pages · `/endless`: a list that never ends
 * - `/mixed`: of its tools one is whole, one has a broken schema, one has no name, one comes twice
 * - `/results`: each tool answers with another kind of result
 * - `/html`: a web page · `/garbage`: no JSON-RPC · `/status/<code>`: that status · `/never`: no answer at all
 * - `/sse`: speaks the older transport, on which the report of a call and its answer come in one piece
 * - `/resumed/<ms>`: ends the stream of a call before its answer, to be asked again after so long; who comes back gets it
 * - `/cut`: a call is answered by a stream that ends before its result · `/huge`: by 1 MB
 * - `/forgetful`: the first call of all finds its session gone · `/amnesiac`: so does every call
 * - `/refusing`: 500, with the headers of the request
 * - `/headers`: its tool answers with the headers of the request · `/protected`: only with `Bearer sesame-open`
 */
export type ScriptedServer = LocalServer;

export function startScriptedServer(): Promise<ScriptedServer> {
  const site = new ScriptedSite();
  return startLocalServer((request, response) => {
    void site.answer(request, response);
  });
}

interface RpcMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly cursor?: string;
    readonly arguments?: Record<string, unknown>;
    readonly _meta?: { readonly progressToken?: number };
  };
}

const schema = { type: "object", properties: {} };

const handshake = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "scripted", version: "1" },
};

class ScriptedSite {
  #sessions = 0;
  #forgot = false;
  /** The call whose stream ended before its answer. */
  #left: number | undefined;
  /** The stream of the client that came last by the older transport. */
  #stream: ServerResponse | undefined;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowEveryPage(response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else if (request.method === "GET" && request.url === "/sse") {
      this.#stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" }).write("event: endpoint\ndata: /sse\n\n");
    } else if (request.headers["last-event-id"] !== undefined) this.#resume(request, response);
    else if (request.method !== "POST") response.writeHead(405).end();
    else this.#post(request, response, JSON.parse(Buffer.concat(chunks).toString("utf8")) as RpcMessage);
  }

  #resume({ headers }: IncomingMessage, response: ServerResponse): void {
    const text = `after ${String(headers["last-event-id"])}`;
    const answer = { jsonrpc: "2.0", id: this.#left, result: { content: [{ type: "text", text }] } };
    response.writeHead(200, { "content-type": "text/event-stream" }).end(eventOf(answer));
  }

  /** What is posted by the older transport is answered on the stream. */
  #stand(response: ServerResponse, { id, method, params }: RpcMessage): void {
    response.writeHead(202).end();
    const result = {
      initialize: handshake,
      "tools/list": listOf("sse", undefined),
      "tools/call": { content: [{ type: "text", text: "done" }] },
    }[method ?? ""];
    if (id === undefined || result === undefined) return;
    const progressToken = params?._meta?.progressToken;
    const report = {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress: 1, total: 1 },
    };
    const before = method === "tools/call" ? eventOf(report) : "";
    this.#stream?.write(before + eventOf({ jsonrpc: "2.0", id, result }));
  }

  #post(request: IncomingMessage, response: ServerResponse, message: RpcMessage): void {
    const [, kind = "", detail = ""] = (request.url ?? "").split("/");
    if (kind === "never") return;
    if (kind === "sse") {
      this.#stand(response, message);
      return;
    }
    if (kind === "status") response.writeHead(Number(detail), { "content-type": "text/plain" }).end("as asked");
    else if (kind === "refusing") response.writeHead(500).end(JSON.stringify(request.headers));
    else if (kind === "html") response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>");
    else if (kind === "garbage") sendJson(response, { hello: "world" });
    else if (kind === "protected" && request.headers.authorization !== "Bearer sesame-open")
      response.writeHead(401).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else this.#reply(request, response, { kind, message, id: message.id });
  }

  #reply(
    request: IncomingMessage,
    response: ServerResponse,
    { kind, message, id }: { readonly kind: string; readonly message: RpcMessage; readonly id: number },
  ): void {
    const result = (value: unknown): void => sendJson(response, { jsonrpc: "2.0", id, result: value });
    switch (message.method) {
      case "initialize":
        this.#sessions += 1;
        if (kind === "forgetful" || kind === "amnesiac")
          response.setHeader("mcp-session-id", `session-${String(this.#sessions)}`);
        result(handshake);
        return;
      case "tools/list":
        result(listOf(kind, message.params?.cursor));
        return;
      case "tools/call":
        if (kind === "amnesiac" || (kind === "forgetful" && !this.#forgot)) {
          this.#forgot = true;
          response.writeHead(404).end();
          return;
        }
        if (kind === "resumed") {
          this.#left = id;
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.end(`id: event-1\nretry: ${(request.url ?? "").split("/")[2] ?? ""}\ndata: \n\n`);
          return;
        }
        {
          callOf(kind, { request, response, message, id });
          return;
        }
      default:
        sendJson(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
        return;
    }
  }
}

function listOf(kind: string, cursor: string | undefined): unknown {
  const tool = (name: string): unknown => ({ name, description: `Tool ${name}`, inputSchema: schema });
  switch (kind) {
    case "paged": {
      const page = Number(cursor ?? "1");
      return { tools: [tool(`tool-${String(page)}`)], ...(page < 3 ? { nextCursor: String(page + 1) } : {}) };
    }
    case "endless":
      return { tools: [], nextCursor: "again" };
    case "mixed":
      return {
        tools: [
          tool("whole"),
          { name: "broken", inputSchema: { type: "array" } },
          { inputSchema: schema },
          { ...(tool("whole") as object), description: "Another" },
          { name: "odd", inputSchema: schema, outputSchema: { type: "object", $ref: "#/nowhere" } },
        ],
      };
    default:
      return {
        tools: Object.keys(results)
          .filter((name) => !promises.has(name))
          .map(tool)
          .concat([...promises].map(promising)),
      };
  }
}

function promising(name: string): unknown {
  const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  return { name, inputSchema: schema, outputSchema };
}

const promises = new Set(["misfit", "promise"]);

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const results: Readonly<Record<string, unknown>> = {
  text: {
    content: [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ],
  },
  nothing: { content: [] },
  image: { content: [{ type: "image", mimeType: "image/png", data: PIXEL }] },
  mixed: {
    content: [
      { type: "text", text: "See:" },
      { type: "image", mimeType: "image/png", data: PIXEL },
    ],
  },
  sound: { content: [{ type: "audio", mimeType: "audio/wav", data: "UklGRg==" }] },
  document: { content: [{ type: "resource", resource: { uri: "doc://1", mimeType: "text/plain", text: "words" } }] },
  link: { content: [{ type: "resource_link", uri: "doc://2", name: "Second", mimeType: "text/plain" }] },
  both: {
    content: [
      { type: "text", text: "{}" },
      { type: "image", mimeType: "image/png", data: PIXEL },
    ],
    structuredContent: { n: 1 },
  },
  fails: { content: [{ type: "text", text: "no such city" }], isError: true },
  badBytes: { content: [{ type: "image", mimeType: "image/png", data: "***" }] },
  misfit: { content: [], structuredContent: { n: "one" } },
  promise: { content: [] },
  odd: { content: [], structuredContent: { any: "thing" } },
  whole: { content: [{ type: "text", text: "whole" }] },
};

function callOf(
  kind: string,
  {
    request,
    response,
    message,
    id,
  }: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly message: RpcMessage;
    readonly id: number;
  },
): void {
  const result = (value: unknown): void => sendJson(response, { jsonrpc: "2.0", id, result: value });
  if (kind === "headers") {
    result({ content: [{ type: "text", text: JSON.stringify(request.headers) }] });
    return;
  }
  if (kind === "huge") {
    result({ content: [{ type: "text", text: "x".repeat(1_000_000) }] });
    return;
  }
  if (kind === "cut") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(": nothing more\n\n");
    return;
  }
  const name = message.params?.name ?? "";
  if (Object.hasOwn(results, name) && kind !== "paged") {
    result(results[name]);
    return;
  }
  if (name === "tool-2") {
    result({ content: [{ type: "text", text: "second" }] });
    return;
  }
  // A tool of a list that is not there after all.
  sendJson(response, { jsonrpc: "2.0", id, error: { code: -32602, message: "Refused", data: { why: "args" } } });
  return;
}

function eventOf(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
