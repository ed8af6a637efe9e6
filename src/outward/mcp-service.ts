import type { McpTransport } from "../tools/index.js";
import type { OfferOptions } from "./offered-tools.js";

/** Under which name a session is an MCP server, and what of it clients see. */
export interface McpServiceOptions extends OfferOptions {
  /** How the server calls itself, and its runs in the journal. Default: `vitrine`. */
  readonly name?: string;
  /** Of the server. Default: that of Vitrine. */
  readonly version?: string;
  /** Hears of messages that could not be understood. Default: nobody. */
  readonly onError?: (error: Error) => void;
}

/** One client's connection. */
export interface McpService {
  /** Ends the connection. Runs that it waits for are stopped. */
  close(): Promise<void>;
}

/** A transport of the official SDK, such as a half of `InMemoryTransport.createLinkedPair()`. */
export type McpServiceTransport = McpTransport;
