import { checkArgument, optionCheck } from "../options/index.js";
import type { Session } from "../session/index.js";
import { messagePortTransport } from "../tools/index.js";
import { fileToolsDescription } from "./file-tools-description.js";
import type { McpService, McpServiceOptions, McpServiceTransport } from "./mcp-service.js";
import { OFFER, offeredTools } from "./offered-tools.js";
import { runCodeDescription } from "./run-code-description.js";

const checkOptions = optionCheck<McpServiceOptions>("serveMcp", {
  ...OFFER,
  name: "string?",
  version: "string?",
  onError: "function?",
});

/**
 * Serves a session to one MCP client, over a port or a transport of the SDK: `run_code` and the other ten tools, and
 * with `fileTools` those that coding models know. Both the revisions with a handshake and the stateless one of 2026-07 are spoken. What the client asks for is judged as an
 * agent's code is, with `client` as caller: a person is asked in the page that opened the session.
 *
 * The SDK is loaded at the first call.
 */
export async function serveMcp(
  session: Session,
  transport: McpServiceTransport | MessagePort,
  options: McpServiceOptions = {},
): Promise<McpService> {
  checkArgument("serveMcp", "session", session, "object");
  checkArgument("serveMcp", "transport", transport, "object");
  checkOptions(options);
  const { name = "vitrine", fileTools = false } = options;
  const tools = offeredTools(session, options, { of: "serveMcp", name });
  const instructions = [
    ...(fileTools === "only" ? [] : [runCodeDescription(session.trust)]),
    ...(fileTools === false ? [] : [fileToolsDescription(tools)]),
  ];
  const { connectMcp } = await import("./mcp-connection.js");
  return connectMcp(tools, "postMessage" in transport ? messagePortTransport(transport) : transport, {
    ...options,
    instructions: instructions.join("\n\n"),
  });
}
