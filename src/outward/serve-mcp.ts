import { checkArgument, optionCheck } from "../options/index.js";
import type { Session } from "../session/index.js";
import { messagePortTransport, TOOL_SCOPE } from "../tools/index.js";
import { CLIENT_TOOLS, clientTools } from "./client-tools.js";
import type { McpService, McpServiceOptions, McpServiceTransport } from "./mcp-service.js";
import { runCodeDescription } from "./run-code-description.js";

const checkOptions = optionCheck<McpServiceOptions>("serveMcp", {
  ...CLIENT_TOOLS,
  name: "string?",
  version: "string?",
  scope: TOOL_SCOPE,
  onError: "function?",
});

/**
 * Serves a session to one MCP client, over a port or a transport of the SDK: `run_code` and the other ten tools. Both
 * the revisions with a handshake and the stateless one of 2026-07 are spoken. What the client asks for is judged as an
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
  const { name = "vitrine", scope, canChangeDeps = session.supports("deps_install") } = options;
  const { connectMcp } = await import("./mcp-connection.js");
  const client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  const tools = clientTools(client, { ...options, canChangeDeps });
  return connectMcp(tools, "postMessage" in transport ? messagePortTransport(transport) : transport, {
    ...options,
    instructions: runCodeDescription(session.trust),
  });
}
