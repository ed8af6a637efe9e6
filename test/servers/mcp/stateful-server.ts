import type { IncomingMessage, ServerResponse } from "node:http";

import { McpServer, ProtocolError, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { z } from "zod";

import { allowEveryPage, startLocalServer } from "../local-server.js";
import { AuthorizationSite } from "./authorization-site.js";
import { toRequest, writeResponse } from "./web-messages.js";

/**
 * A server of MCP's 2025 revisions, which keeps sessions, on 127.0.0.1. At `/mcp` anybody may call it, at `/guarded/mcp`
 * who has a token of {@link AuthorizationSite}. A desk
 * beside it, on a port of its own, is for the test:
 *
 * - `POST /down`: nobody listens at the server's port any more, and its sessions are gone · `POST /up`: it is there again
 * - `POST /forget`: it goes on, and knows none of its sessions
 * - `POST /revoke`: no token that was given out is good any more
 * - `GET /log`: what it was asked since `POST /clear`, as texts: `tools/call hello`, `authorize`
 */
export interface StatefulServer {
  readonly origin: string;
  readonly desk: string;
  close(): Promise<void>;
}

export async function startStatefulServer(): Promise<StatefulServer> {
  const log: string[] = [];
  const site = new StatefulSite(log);
  const door = await startLocalServer((request, response) => {
    answer(response, () => site.answer(request, response));
  });
  site.origin = door.origin;

  const orders: Readonly<Record<string, () => Promise<void> | void>> = {
    "/down": async () => {
      site.forget();
      await door.close();
    },
    "/up": () => door.reopen(),
    "/forget": () => {
      site.forget();
    },
    "/revoke": () => {
      site.revoke();
    },
    "/clear": () => {
      log.length = 0;
    },
    "/log": () => undefined,
  };
  const desk = await startLocalServer((request, response) => {
    answer(response, async () => {
      response.setHeader("access-control-allow-origin", "*");
      await orders[request.url ?? ""]?.();
      response.end(JSON.stringify(log));
    });
  });
  return {
    origin: door.origin,
    desk: desk.origin,
    close: async () => {
      await Promise.all([door.close(), desk.close()]);
    },
  };
}

class StatefulSite {
  origin = "";
  readonly #log: string[];
  readonly #authorization: AuthorizationSite;
  readonly #sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  #count = 0;

  constructor(log: string[]) {
    this.#log = log;
    this.#authorization = new AuthorizationSite(log);
  }

  forget(): void {
    this.#sessions.clear();
  }

  revoke(): void {
    this.#authorization.revoke();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowEveryPage(response);
    if (request.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const gone = new AbortController();
    response.on("close", () => {
      gone.abort();
    });
    const web = await toRequest(request, gone.signal);
    const { pathname } = new URL(web.url);
    if (pathname === "/mcp") await writeResponse(await this.#serve(web), response);
    else {
      const refusal = await this.#authorization.answer(web, this.origin);
      await writeResponse(refusal ?? (await this.#serve(web)), response);
    }
  }

  async #serve(request: Request): Promise<Response> {
    const body = request.method === "POST" ? ((await request.clone().json()) as RpcMessage) : undefined;
    if (body !== undefined) this.#log.push(textOf(body));
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : this.#sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null) return new Response(null, { status: 404 });
    this.#count += 1;
    const name = `session-${String(this.#count)}`;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => name,
      onsessioninitialized: () => {
        this.#sessions.set(name, transport);
      },
    });
    await makeServer(name).connect(transport);
    return transport.handleRequest(request);
  }
}

interface RpcMessage {
  readonly method?: string;
  readonly params?: { readonly name?: string };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** `initialize`, `tools/call hello`, `answer {"action":"accept"}`. */
function textOf({ method, params, result, error }: RpcMessage): string {
  if (method === undefined) return `answer ${JSON.stringify(result ?? error)}`;
  return params?.name === undefined ? method : `${method} ${params.name}`;
}

/** What its tool `request` is to ask. */
const Dictated = z.object({
  method: z.enum(["elicitation/create", "sampling/createMessage"]),
  params: z.record(z.string(), z.unknown()),
  times: z.number().default(1),
});

function makeServer(session: string): McpServer {
  const server = new McpServer({ name: "stateful", version: "1.0.0" }, { capabilities: { tools: {} } });
  const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
  server.registerTool("hello", { description: "Says which session it is of" }, () => text(`hello from ${session}`));
  server.registerTool("wait", { description: "Reports once, and waits until it is cancelled" }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, total: 2, message: "half of it" },
      });
    }
    await new Promise<void>((resolve) => {
      context.mcpReq.signal.addEventListener("abort", () => {
        resolve();
      });
    });
    return text("cancelled");
  });
  server.registerTool("visit", { description: "Has a person visit a page" }, async (context) => {
    // oxlint-disable-next-line typescript/no-deprecated -- it is how servers of these revisions ask
    const { action } = await server.server.elicitInput(
      { mode: "url", elicitationId: "visit-1", message: "Please agree there.", url: "https://bank.example/agree?id=1" },
      { relatedRequestId: context.mcpReq.id },
    );
    return text(`the person chose ${action}`);
  });
  server.registerTool(
    "request",
    { description: "Asks its client what the caller dictates, as often, and says what came", inputSchema: Dictated },
    async ({ method, params, times }, context) => {
      const ask = async (): Promise<unknown> => {
        try {
          return await context.mcpReq.send({ method, params }, z.looseObject({}), { timeout: 2 ** 31 - 1 });
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
          const { code, message, data } = error;
          return { code, message, data };
        }
      };
      return text(JSON.stringify(await Promise.all(Array.from({ length: times }, ask))));
    },
  );
  server.registerTool("whoami", { description: "Says what the caller sent" }, async (context) => {
    const authorization = context.http?.req?.headers.get("authorization") ?? "nothing";
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, message: `you sent ${authorization}` },
      });
    }
    return text(authorization);
  });
  server.registerTool("whoami_in_error", { description: "Fails with what the caller sent" }, (context) => ({
    ...text(`you sent ${context.http?.req?.headers.get("authorization") ?? "nothing"}`),
    isError: true,
  }));
  return server;
}

function answer(response: ServerResponse, work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    if (!response.headersSent) response.writeHead(500);
    response.end(String(error));
  });
}
