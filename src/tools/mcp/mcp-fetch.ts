import { explainFetchFailure } from "../requests/fetch-failure.js";
import type { ToolCallError } from "../errors.js";
import type { Fetch } from "../requests/request-options.js";
import { requestPolicy } from "../requests/request-policy.js";
import { pageAddress, routeRequest } from "../requests/request-route.js";
import type { ToolEnvironment } from "../tool-host.js";
import { McpAnswerTooLargeError } from "./mcp-errors.js";

export interface McpFetchOptions {
  readonly toolName: string;
  readonly environment: ToolEnvironment;
  /** The server was named by a path of the page's own site. */
  readonly byPath: boolean;
  /** Where the server is. */
  readonly origin: string;
  /** What is sent to the server, and to nobody whom the server names: it may hold secrets. */
  readonly headers: Headers;
  /** Bytes of one answer, or of one event of a stream. */
  readonly answerSize: number;
  /** A request was answered with more than that. `id` is the JSON-RPC request's. */
  readonly onTooLarge: (id: string | number | undefined, error: McpAnswerTooLargeError) => void;
}

/**
 * The one way to the network of a connection: to allowed hosts, through the
 * proxy where there is one, without cookies, referrer or redirects, and with
 * answers of bounded size. OAuth's requests go through it as well.
 */
export class McpFetch {
  readonly #options: McpFetchOptions;
  readonly #pageUrl: string | undefined;
  readonly #failures = new WeakMap<object, { readonly url: string; readonly init: RequestInit }>();

  constructor(options: McpFetchOptions) {
    this.#options = options;
    this.#pageUrl = options.environment.pageUrl ?? pageAddress();
  }

  readonly fetch = async (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { toolName, environment, byPath, answerSize, onTooLarge } = this.#options;
    const wanted = new URL(target);
    const url = routeRequest(wanted, {
      toolName,
      byPath,
      pageUrl: this.#pageUrl,
      allowedHosts: environment.allowedHosts,
      proxy: environment.proxy,
      byPathHint: "Write `url` as a path, such as `./mcp`",
    });
    const sent = { ...init, headers: this.#headersFor(wanted, init.headers) };
    let response: Response;
    try {
      response = await this.#fetch(url, { ...sent, ...requestPolicy, redirect: "error" });
    } catch (error) {
      // The SDK reads a TypeError as "CORS, perhaps" and goes on; why it really was is asked once it gives up.
      if (error instanceof TypeError) this.#failures.set(error, { url, init: sent });
      throw error;
    }
    return capped(response, answerSize, () => {
      const error = new McpAnswerTooLargeError(toolName, answerSize);
      onTooLarge(requestId(init.body), error);
      return error;
    });
  };

  /** Why a request of this connection failed; undefined when the error is none of its failed requests'. */
  async explain(cause: unknown, signal: AbortSignal): Promise<ToolCallError | undefined> {
    const failure = typeof cause === "object" && cause !== null ? this.#failures.get(cause) : undefined;
    if (failure === undefined) return undefined;
    const { url, init } = failure;
    const { toolName, environment } = this.#options;
    return explainFetchFailure({
      toolName,
      request: {
        method: init.method ?? "GET",
        url: new URL(url),
        headers: new Headers(init.headers),
        body: typeof init.body === "string" ? init.body : undefined,
      },
      url,
      pageUrl: this.#pageUrl,
      fetch: this.#fetch,
      cause,
      signal,
      hostsAreLimited: environment.allowedHosts !== undefined,
    });
  }

  /** The SDK sends the server's headers to its authorization server as well, wherever that is. */
  #headersFor({ origin }: URL, given: RequestInit["headers"]): Headers {
    const headers = new Headers(given);
    if (origin === this.#options.origin) return headers;
    for (const [name, value] of this.#options.headers) if (headers.get(name) === value) headers.delete(name);
    return headers;
  }

  readonly #fetch: Fetch = (url, init) => (this.#options.environment.fetch ?? globalThis.fetch)(url, init);
}

function requestId(body: RequestInit["body"]): string | number | undefined {
  if (typeof body !== "string" || !body.startsWith("{")) return undefined;
  const message: unknown = JSON.parse(body);
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : undefined;
}

/** Of a stream of events each is counted for itself: it may go on for hours. */
function capped(response: Response, limit: number, tooLarge: () => Error): Response {
  if (response.body === null) return response;
  const type = response.headers.get("content-type") ?? "";
  const isStream = type.trimStart().toLowerCase().startsWith("text/event-stream");
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size = isStream ? sizeSinceEvent(chunk, size) : size + chunk.byteLength;
      if (size > limit) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Bytes since the last empty line, which ends an event. */
function sizeSinceEvent(chunk: Uint8Array, before: number): number {
  let breaks = 0;
  for (let index = chunk.length - 1; index >= 0; index -= 1) {
    const byte = chunk[index];
    if (byte === CARRIAGE_RETURN) continue;
    breaks = byte === LINE_FEED ? breaks + 1 : 0;
    if (breaks === 2) return chunk.length - index;
  }
  return before + chunk.byteLength;
}
