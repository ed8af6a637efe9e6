import type { ToolHints } from "../definition.js";
import type { McpOAuth, McpToken } from "../mcp-auth.js";

/**
 * How messages travel to a server and back. The transports of the official SDK
 * are of this form, and so is {@link messagePortTransport}.
 */
export interface McpTransport {
  start(): Promise<void>;
  send(message: McpMessage, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // A method's parameter may be narrower in what implements it, as the SDK's own message type is.
  onmessage?: { hear(message: McpMessage): void }["hear"] | undefined;
}

/** A JSON-RPC message. */
export type McpMessage = object;

/** A server of the official SDK that lives in this page: an `McpServer` or a `Server`. */
export interface McpInPageServer {
  connect(transport: McpTransport): Promise<void>;
}

interface McpToolBase {
  /** The attribute of `tools`. */
  readonly name: string;
  /** Default: what the server says of itself. */
  readonly description?: string;
  readonly tags?: readonly string[];
  /** What the host page says of every tool of the server; it counts before the server's own annotations. */
  readonly hints?: ToolHints;
  /** Milliseconds that one call may take, connecting included. Default 60,000. */
  readonly timeout?: number;
  /** Bytes of one answer. Default 64 MiB. */
  readonly answerSize?: number;
}

/** A server at an address. */
export interface McpServerAddress {
  /** `https://…`, or a path of the page's own site. `${NAME}` is filled in from the session's secrets. */
  readonly url: string;
  /** Default: `streamable_http`. */
  readonly transport?: "streamable_http" | "sse";
  /** Sent with every request to the server. `${NAME}` is filled in from the session's secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: McpToken | McpOAuth;
}

/** An MCP server as a tool, and the way to it. */
export type McpToolOptions = McpToolBase &
  (
    | McpServerAddress
    /** A server in this page, over the SDK's in-memory transport. */
    | { readonly server: McpInPageServer }
    /** A server at the other end of a port: in a frame, a worker. */
    | { readonly port: MessagePort }
    /** Any other way. A function is called anew for each connection. */
    | { readonly transport: McpTransport | (() => McpTransport | Promise<McpTransport>) }
  );
