import type { Session } from "../session/index.js";
import type { ToolScope } from "../tools/index.js";
import { clientTools, type ClientToolOptions } from "./client-tools.js";
import { portTransport } from "./port-transport.js";
import { RUN_CODE_DESCRIPTION } from "./run-code-description.js";

export interface McpServiceOptions extends ClientToolOptions {
  /** How the server calls itself, and its runs in the journal. Default: `vitrine`. */
  readonly name?: string;
  /** Default: `0.0.0`. */
  readonly version?: string;
  /** The tools that the client's code sees of those that the session's code sees. Default: all of them. */
  readonly scope?: ToolScope;
  /** Hears of messages that could not be understood. Default: nobody. */
  readonly onError?: (error: Error) => void;
}

/** One client's connection. */
export interface McpService {
  /** Ends the connection. Runs that it waits for are stopped. */
  close(): Promise<void>;
}

/** A transport of the official SDK, such as a half of `InMemoryTransport.createLinkedPair()`. */
export interface McpServiceTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // A method's parameter may be narrower in what implements it, as the SDK's type of messages is.
  onmessage?: { hear(message: object): void }["hear"] | undefined;
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
}

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
  const { name = "vitrine", scope, canChangeDeps = session.supports("deps_install") } = options;
  const { connectMcp } = await import("./mcp-connection.js");
  const client = session.client({ name, ...(scope === undefined ? {} : { scope }) });
  const tools = clientTools(client, { ...options, canChangeDeps });
  return connectMcp(tools, "postMessage" in transport ? portTransport(transport) : transport, {
    ...options,
    instructions: RUN_CODE_DESCRIPTION,
  });
}
