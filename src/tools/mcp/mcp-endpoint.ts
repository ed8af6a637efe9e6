import { InMemoryTransport, SSEClientTransport, type AuthProvider, type Transport } from "@modelcontextprotocol/client";

import { UsedSecrets } from "../../secrets/index.js";
import { isPath, pageAddress } from "../requests/request-route.js";
import type { ToolEnvironment } from "../tool-host.js";
import { HttpTransport } from "./http-transport.js";
import { McpConnectionError } from "./mcp-errors.js";
import { McpFetch } from "./mcp-fetch.js";
import { messagePortTransport } from "./message-port-transport.js";
import type { McpServerAddress, McpToolOptions } from "./mcp-options.js";
import { OAuthClient } from "./oauth-client.js";

/** Default of `answerSize`. */
const ANSWER_SIZE = 64 * 2 ** 20;

/** What leads to a server, and makes a transport for each connection. */
export class McpEndpoint {
  readonly oauth: OAuthClient | undefined;
  /** What was sent to the server, which it may say again. */
  readonly secrets: UsedSecrets;
  readonly #options: McpToolOptions;
  readonly #environment: ToolEnvironment;
  readonly #auth: McpServerAddress["auth"];

  /** @throws what the page's `authFor` throws. */
  static async of(options: McpToolOptions, environment: ToolEnvironment): Promise<McpEndpoint> {
    const own = "url" in options ? options.auth : undefined;
    if (own !== undefined) return new McpEndpoint(options, environment, { auth: own, isOwn: true });
    return new McpEndpoint(options, environment, { auth: await pageAuth(options, environment), isOwn: false });
  }

  private constructor(
    options: McpToolOptions,
    environment: ToolEnvironment,
    { auth, isOwn }: { readonly auth: McpServerAddress["auth"]; readonly isOwn: boolean },
  ) {
    this.#options = options;
    this.#environment = environment;
    this.#auth = auth;
    this.secrets = UsedSecrets.of(environment.secrets);
    this.oauth =
      auth === undefined || "token" in auth
        ? undefined
        : new OAuthClient(options.name, { settings: auth, secrets: this.secrets, needsDiscovery: !isOwn });
  }

  /** Whether the server may be of the days before revisions were negotiated, and nothing else. */
  get isSse(): boolean {
    return "url" in this.#options && this.#options.transport === "sse";
  }

  /**
   * @throws {SecretNotFoundError}
   * @throws {McpConnectionError} for an address that is none.
   */
  async open(): Promise<{ readonly transport: Transport; readonly fetch?: McpFetch }> {
    const options = this.#options;
    if ("url" in options) return this.#openAddress(options);
    if ("port" in options) return { transport: messagePortTransport(options.port) };
    if ("server" in options) {
      const [here, there] = InMemoryTransport.createLinkedPair();
      await options.server.connect(there);
      return { transport: here };
    }
    const { transport } = options;
    return { transport: typeof transport === "function" ? await transport() : transport };
  }

  async #openAddress(address: McpServerAddress): Promise<{ readonly transport: Transport; readonly fetch: McpFetch }> {
    const { name, answerSize = ANSWER_SIZE } = this.#options;
    const { secrets } = this;
    const url = this.#resolve(await secrets.fill(address.url, `tool '${name}'`));
    const headers = new Headers();
    for (const [header, value] of Object.entries(address.headers ?? {})) {
      headers.set(header, await secrets.fill(value, `tool '${name}'`));
    }
    const waiting: { transport?: HttpTransport } = {};
    const fetch = new McpFetch({
      toolName: name,
      environment: this.#environment,
      byPath: isPath(address.url),
      origin: url.origin,
      headers,
      answerSize,
      onTooLarge: (id, error) => {
        if (id !== undefined) waiting.transport?.fail(id, error);
      },
    });
    const authProvider = this.#authProvider();
    const settings = {
      fetch: fetch.fetch,
      requestInit: { headers },
      ...(authProvider === undefined ? {} : { authProvider }),
    };
    // oxlint-disable-next-line typescript/no-deprecated -- servers of the first transport are still there
    if (address.transport === "sse") return { transport: new SSEClientTransport(url, settings), fetch };
    const http = new HttpTransport(url, settings);
    waiting.transport = http;
    http.endedError = () =>
      new McpConnectionError(
        name,
        "the server ended its answer before the result came. Whether the call was carried out is not known",
      );
    return { transport: http, fetch };
  }

  #resolve(text: string): URL {
    const page = this.#environment.pageUrl ?? pageAddress();
    const url = URL.canParse(text, page) ? new URL(text, page) : undefined;
    if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
      throw new McpConnectionError(this.#options.name, "its `url` is no http: or https: address");
    }
    return url;
  }

  #authProvider(): AuthProvider | OAuthClient | undefined {
    const auth = this.#auth;
    if (auth === undefined) return undefined;
    if (!("token" in auth)) return this.oauth;
    return {
      token: async () => {
        const token = await auth.token();
        if (token !== undefined) this.secrets.noteToken(`token of ${this.#options.name}`, token);
        return token;
      },
    };
  }
}

/** What the page has for a server that says nothing of itself about who calls. */
async function pageAuth(options: McpToolOptions, { mcp }: ToolEnvironment): Promise<McpServerAddress["auth"]> {
  if (!("url" in options) || mcp?.authFor === undefined) return undefined;
  if (Object.keys(options.headers ?? {}).some((name) => name.toLowerCase() === "authorization")) return undefined;
  return mcp.authFor({ tool: options.name, url: options.url });
}
