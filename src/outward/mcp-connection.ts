import { McpServer, type CallToolResult, type Implementation } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { VERSION } from "../protocol/index.js";
import type { ClientTool, ClientToolResult } from "./client-tools.js";
import type { McpService, McpServiceOptions, McpServiceTransport } from "./mcp-service.js";

/** Serves tools over a transport. Only what is loaded when somebody is served may import this file: it brings the SDK. */
export function connectMcp(
  tools: readonly ClientTool[],
  transport: McpServiceTransport,
  { name = "vitrine", version = VERSION, onError, instructions }: McpServiceOptions & { readonly instructions: string },
): McpService {
  // Its name says stdio; it chooses the revision by the first message of any connection that is one channel.
  return serveStdio(() => serverOf(tools, { info: { name, version }, instructions }), {
    transport,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
}

/** What may reach further than the page. */
const OPEN_WORLD = new Set(["run_code", "add_dep", "shell", "shell_command"]);

function serverOf(
  tools: readonly ClientTool[],
  { info, instructions }: { readonly info: Implementation; readonly instructions: string },
): McpServer {
  const server = new McpServer(info, { capabilities: { tools: {} }, instructions });
  for (const tool of tools) {
    const { name, description, input, hints } = tool;
    const annotations = {
      readOnlyHint: hints.readOnly ?? false,
      destructiveHint: hints.destructive ?? false,
      idempotentHint: hints.idempotent ?? false,
      openWorldHint: OPEN_WORLD.has(name),
    };
    server.registerTool(name, { description, inputSchema: input, annotations }, async (args, { mcpReq }) =>
      contentOf(await tool.call(args, mcpReq.signal)),
    );
  }
  return server;
}

function contentOf({ text, isError, images }: ClientToolResult): CallToolResult {
  return {
    content: [{ type: "text", text }, ...images.map((image) => ({ type: "image", ...image }) as const)],
    ...(isError ? { isError } : {}),
  };
}
