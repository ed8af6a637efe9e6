import { mcpTool, type McpInPageServer, type McpTransport, type Session } from "vitrine";

interface Connections {
  readonly url: string;
  readonly token: () => Promise<string>;
  readonly server: McpInPageServer;
  readonly port: MessagePort;
  readonly transport: () => McpTransport;
}

export function addServers(session: Session, { url, token, server, port, transport }: Connections): void {
  session.tools.register(mcpTool({ name: "web", url, auth: { token } }));
  session.tools.register(mcpTool({ name: "here", server })); // one of the official SDK, in this page
  session.tools.register(mcpTool({ name: "framed", port })); // at the other end: messagePortTransport(otherPort)
  session.tools.register(mcpTool({ name: "other", transport }));
}
