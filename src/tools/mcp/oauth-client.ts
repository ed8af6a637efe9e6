import {
  isSpecType,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { z } from "zod";

import type { UsedSecrets } from "../../secrets/index.js";
import type { McpOAuth } from "../mcp-auth.js";
import { callerUnknown, McpUnauthorizedError } from "./mcp-errors.js";

const Saved = z.object({
  client: z.custom<StoredOAuthClientInformation>((value) => isSpecType.OAuthClientInformation(value)).optional(),
  tokens: z.custom<StoredOAuthTokens>((value) => isSpecType.OAuthTokens(value)).optional(),
});
type Saved = z.infer<typeof Saved>;

export interface OAuthClientParts {
  readonly settings: McpOAuth;
  readonly secrets: UsedSecrets;
  /** The server is asked nothing more where no metadata of its authorization server is found. */
  readonly needsDiscovery: boolean;
}

/**
 * The SDK's view of an {@link McpOAuth}: registration and tokens, in memory or
 * in the page's store, and the address that a person has to visit.
 */
export class OAuthClient implements OAuthClientProvider {
  readonly #toolName: string;
  readonly #settings: McpOAuth;
  readonly #secrets: UsedSecrets;
  readonly #needsDiscovery: boolean;
  #saved: Saved | undefined;
  #verifier = "";
  #state = "";
  #discovery: OAuthDiscoveryState | undefined;
  #pending: URL | undefined;

  constructor(toolName: string, { settings, secrets, needsDiscovery }: OAuthClientParts) {
    this.#toolName = toolName;
    this.#settings = settings;
    this.#secrets = secrets;
    this.#needsDiscovery = needsDiscovery;
    if (settings.clientMetadataUrl !== undefined) this.clientMetadataUrl = settings.clientMetadataUrl;
    if (settings.redirectUrl === undefined) {
      this.prepareTokenRequest = (scope) => {
        const asked = settings.scope ?? scope;
        return new URLSearchParams({
          grant_type: "client_credentials",
          ...(asked === undefined ? {} : { scope: asked }),
        });
      };
    }
  }

  clientMetadataUrl?: string;
  prepareTokenRequest?: (scope?: string) => URLSearchParams;

  get redirectUrl(): string | undefined {
    return this.#settings.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { redirectUrl, clientName = "Vitrine", clientSecret, scope } = this.#settings;
    const interactive = redirectUrl !== undefined;
    return {
      client_name: clientName,
      redirect_uris: interactive ? [redirectUrl] : [],
      grant_types: interactive ? ["authorization_code", "refresh_token"] : ["client_credentials"],
      ...(interactive ? { response_types: ["code"] } : {}),
      // A page keeps no secret from its reader; PKCE stands in its place.
      ...(clientSecret === undefined && interactive ? { token_endpoint_auth_method: "none" } : {}),
      ...(scope === undefined ? {} : { scope }),
    };
  }

  state(): string {
    this.#state = crypto.randomUUID();
    return this.#state;
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret, issuer } = this.#settings;
    if (clientId === undefined) return (await this.#load()).client;
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(issuer === undefined ? {} : { issuer }),
    };
  }

  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    return this.#save({ client });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#load()).tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#save({ tokens });
  }

  redirectToAuthorization(url: URL): void {
    this.#pending = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    if (this.#needsDiscovery && state.authorizationServerMetadata === undefined) throw callerUnknown(this.#toolName);
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "client") await this.#save({ client: undefined });
    if (scope === "all" || scope === "tokens") await this.#save({ tokens: undefined });
    if (scope === "all" || scope === "verifier") this.#verifier = "";
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }

  /** The address that somebody has to visit before it goes on; told once. */
  takePending(): URL | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  /**
   * Has the person visit `url`, and gives what they were sent back with.
   *
   * @throws {McpUnauthorizedError} when nobody can be asked, or the answer is not to this question.
   */
  async authorize(url: URL, signal: AbortSignal): Promise<URLSearchParams> {
    const { authorize } = this.#settings;
    if (authorize === undefined) {
      throw new McpUnauthorizedError(
        this.#toolName,
        "the server wants a person to agree, and `auth` has no `authorize` that shows them the page",
      );
    }
    if (url.protocol !== "https:" && url.protocol !== "http:") {
      throw new McpUnauthorizedError(this.#toolName, `the server wants a person to visit a ${url.protocol} address`);
    }
    const { searchParams } = new URL(await authorize(url, signal));
    if (searchParams.get("state") !== this.#state) {
      throw new McpUnauthorizedError(
        this.#toolName,
        "the authorization server's answer has another `state`: it belongs to another login, and nothing of it was used",
      );
    }
    return searchParams;
  }

  async #load(): Promise<Saved> {
    if (this.#saved !== undefined) return this.#saved;
    const text = await this.#settings.store?.load();
    return (this.#saved ??= this.#noted(text === undefined || text === "" ? {} : this.#parse(text)));
  }

  async #save(change: Saved): Promise<void> {
    this.#saved = this.#noted({ ...(await this.#load()), ...change });
    await this.#settings.store?.save(JSON.stringify(this.#saved));
  }

  #parse(text: string): Saved {
    try {
      return Saved.parse(JSON.parse(text));
    } catch (cause) {
      throw new McpUnauthorizedError(
        this.#toolName,
        "what the `store` of `auth` gives is not what was saved there. Empty it, and the person is asked anew",
        { cause },
      );
    }
  }

  /** A server may say again what it was sent. */
  #noted(saved: Saved): Saved {
    const { tokens, client } = saved;
    const name = `token of ${this.#toolName}`;
    for (const value of [this.#settings.clientSecret, client?.client_secret]) {
      if (value !== undefined) this.#secrets.noteValue(name, value);
    }
    for (const value of [tokens?.access_token, tokens?.refresh_token, tokens?.id_token]) {
      if (value !== undefined) this.#secrets.noteToken(name, value);
    }
    return saved;
  }
}
