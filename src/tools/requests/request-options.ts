import type { OptionKinds } from "../../options/index.js";
import type { SecretStore } from "../../secrets/index.js";

/** What a tool sends. */
export interface ToolRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

/** As `fetch` of the page; another one may stand in its place. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How the tools of a session reach the network. */
export interface HttpToolOptions {
  /** In place of the browser's own. */
  readonly fetch?: Fetch;
  /** The hosts that tools may talk to, as `example.org`, `example.org:8080` or `*.example.org`. Default: any. */
  readonly allowedHosts?: readonly string[];
  /**
   * Through which requests to other origins go. `{url}` in it stands for the
   * encoded target; without it the target is appended, encoded after a `=` and
   * as it is otherwise. Never used for the page's own site.
   */
  readonly proxy?: string;
  /** What a `base_url` that is a path is relative to, and whose origin is reached by path only. Default: the address of this page. */
  readonly pageUrl?: string;
  /** Where the secrets are that files refer to. Default: there are none. */
  readonly secrets?: SecretStore;
}

export const HTTP_TOOL_OPTIONS: OptionKinds<HttpToolOptions> = {
  fetch: "function?",
  allowedHosts: "array?",
  proxy: "string?",
  pageUrl: "string?",
  secrets: "object?",
};
