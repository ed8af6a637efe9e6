import { explainFetchFailure } from "./fetch-failure.js";
import { requestPolicy } from "./request-policy.js";
import type { Fetch, ToolRequest } from "./request-options.js";

export interface RequestSending {
  readonly toolName: string;
  /** Where the request goes: its own URL, or the proxy's. */
  readonly url: string;
  readonly pageUrl: string | undefined;
  /** In place of the browser's own. */
  readonly fetch?: Fetch | undefined;
  readonly signal: AbortSignal;
  /** Tools may reach some hosts only. */
  readonly hostsAreLimited: boolean;
}

/**
 * Sends a request of a tool, whose route is known, by the rules of all of them.
 *
 * @throws {ToolCallError} saying why there is no answer, as far as the browser lets that be known.
 */
export async function sendRequest(request: ToolRequest, sending: RequestSending): Promise<Response> {
  const { url, fetch = browserFetch, signal } = sending;
  const { method, headers, body = null } = request;
  try {
    return await fetch(url, { method, headers, body, ...requestPolicy, redirect: "error", signal });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw await explainFetchFailure({ ...sending, request, fetch, cause });
  }
}

function browserFetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}
