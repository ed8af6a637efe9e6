import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { allowEveryPage, startLocalServer } from "../local-server.js";
import { toRequest, writeResponse } from "./web-messages.js";

/** A server on `@modelcontextprotocol/server`: the stateless protocol of 2026-07-28 over Streamable HTTP. */
export interface StatelessServer {
  /** `http://127.0.0.1:<port>/mcp`; `/log` beside it tells what tools heard, as JSON. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startStatelessServer(): Promise<StatelessServer> {
  const log: string[] = [];
  const state = { grown: false };
  const handler: McpHttpHandler = createMcpHandler(() => makeServer(log, state, () => handler.notify.toolsChanged()), {
    legacy: "reject",
  });
  const { origin, close } = await startLocalServer((request, response) => {
    allowEveryPage(response);
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else if (request.url === "/log") response.end(JSON.stringify(log));
    else {
      const given = new AbortController();
      response.on("close", () => {
        given.abort();
      });
      void toRequest(request, given.signal)
        .then((web) => handler.fetch(web))
        .then((answer) => writeResponse(answer, response));
    }
  });
  return {
    url: `${origin}/mcp`,
    close: async () => {
      await handler.close();
      await close();
    },
  };
}

function makeServer(log: string[], state: { grown: boolean }, toolsChanged: () => void): McpServer {
  const server = new McpServer(
    { name: "stateless", version: "1.0.0", title: "Sums and waits" },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool(
    "add",
    {
      description: "Adds two numbers",
      inputSchema: z.object({ a: z.number().describe("One"), b: z.number().default(1) }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }], structuredContent: { sum: a + b } }),
  );
  server.registerTool("wipe", { description: "Removes everything", annotations: { destructiveHint: true } }, () => {
    log.push("wiped");
    return { content: [{ type: "text", text: "wiped" }] };
  });
  server.registerTool("wait", { description: "Waits until it is cancelled" }, async (context) => {
    log.push("waiting");
    await new Promise<void>((resolve) => {
      context.mcpReq.signal.addEventListener("abort", () => {
        resolve();
      });
    });
    log.push("cancelled");
    return { content: [] };
  });
  server.registerTool("count", { description: "Reports on its way" }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= 3 && progressToken !== undefined; progress += 1) {
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3, message: `step ${String(progress)}` },
      });
    }
    return { content: [{ type: "text", text: "counted" }] };
  });
  server.registerTool("ask", { description: "Asks for a colour" }, (context) => {
    const Colour = z.object({ colour: z.string() });
    const answer = acceptedContent(context.mcpReq.inputResponses, "colour", Colour);
    if (answer !== undefined) return { content: [{ type: "text", text: `You like ${answer.colour}.` }] };
    return inputRequired({
      inputRequests: { colour: inputRequired.elicit({ message: "Which colour?", requestedSchema: Colour }) },
    });
  });
  server.registerTool("visit", { description: "Has a person visit a page" }, (context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, "visit");
    if (answer.kind === "elicit") return { content: [{ type: "text", text: `The person chose ${answer.action}.` }] };
    const page = { message: "Please agree there.", url: "https://bank.example/agree?id=2" };
    return inputRequired({ inputRequests: { visit: inputRequired.elicitUrl(page) } });
  });
  server.registerTool("lure", { description: "Has a person visit what is no page" }, () => {
    const page = { message: "Please agree there.", url: "javascript:alert(1)" };
    return inputRequired({ inputRequests: { visit: inputRequired.elicitUrl(page) } });
  });
  server.registerTool("grow", { description: "Adds a tool" }, () => {
    state.grown = true;
    toolsChanged();
    return { content: [{ type: "text", text: "grown" }] };
  });
  if (state.grown)
    server.registerTool("added", { description: "Was added" }, () => ({ content: [{ type: "text", text: "here" }] }));
  return server;
}
