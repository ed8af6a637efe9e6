/** Gives the token that is sent with every request; it stays on the page. */
export interface McpToken {
  /** Asked before every request. Undefined: none is sent. */
  readonly token: () => Promise<string | undefined>;
}

/**
 * OAuth 2.1 as MCP has it: the server names its authorization server, the client
 * is registered there unless `clientId` says who it is, and the tokens are kept
 * in memory, or where `store` puts them. None of it reaches the worker.
 */
export interface McpOAuth {
  /** Where the authorization server sends the person back to. Without it the client speaks for itself (`client_credentials`). */
  readonly redirectUrl?: string;
  /** Shows the address to the person, in a window for instance, and resolves with the one that they were sent back to. */
  readonly authorize?: (url: URL, signal: AbortSignal) => Promise<string | URL>;
  /** What the authorization server calls the client. Default: `Vitrine`. */
  readonly clientName?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The authorization server that `clientId` belongs to. With it the credentials are sent to no other that a server names. */
  readonly issuer?: string;
  /** The address of a client metadata document, which stands for the `clientId` where the server takes one. */
  readonly clientMetadataUrl?: string;
  /** Default: what the server asks for. */
  readonly scope?: string;
  /** Keeps client registration and tokens beyond the page. They are secrets. Default: memory. */
  readonly store?: McpTokenStore;
}

/** Where what a server was authorized with is kept, as text. */
export interface McpTokenStore {
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}
