import { ConnectionError, CorsError, ToolCallError } from "../errors.js";
import type { Fetch, ToolRequest } from "./request-options.js";
import { requestPolicy } from "./request-policy.js";

export interface FailedFetch {
  readonly toolName: string;
  readonly request: ToolRequest;
  /** Where the request really went: the request's own URL, or the proxy's. */
  readonly url: string;
  readonly pageUrl: string | undefined;
  readonly fetch: Fetch;
  readonly cause: unknown;
  readonly signal: AbortSignal;
  /** Tools may reach some hosts only. */
  readonly hostsAreLimited: boolean;
}

/** Milliseconds that one probe may take. */
const PROBE_TIMEOUT = 4000;

/**
 * Finds out what can be known of a request that the browser answered with
 * "Failed to fetch" alone: it hides from a page whether the server was down,
 * redirected, or answered without the headers that allow the page to read.
 */
export async function explainFetchFailure(failed: FailedFetch): Promise<ToolCallError> {
  const target = new URL(failed.url);
  const host = target.host;
  const page = failed.pageUrl === undefined ? undefined : new URL(failed.pageUrl);
  if (isMixedContent(page, target)) {
    return failure(
      failed,
      `the browser does not let a page that came over https: read from http://${host}. Use https:`,
    );
  }
  if (page?.origin === target.origin) {
    return failure(
      failed,
      `the page's own site did not answer, or redirected, which a tool does not follow: ${brief(target)}`,
    );
  }
  if (await isRedirect(failed)) {
    return failure(
      failed,
      `${host} answered with a redirect, and a tool does not follow one: the browser would not say where it leads. Put the final address into the tool's file`,
    );
  }
  // The look below follows redirects, and those lead past the allowed hosts.
  if (failed.hostsAreLimited) {
    return corsError(failed, {
      host,
      page,
      found:
        "is down, or the browser kept its answer from this page; where tools may reach some hosts only, nobody looks which",
    });
  }
  if (await answersAtAll(failed, target)) {
    return corsError(failed, { host, page, found: "can be reached, but the browser kept its answer from this page" });
  }
  // There the browser also hides every answer that does not allow to be embedded: nothing can be found out.
  if (globalThis.crossOriginIsolated) {
    return corsError(failed, {
      host,
      page,
      found: "is down, or the browser kept its answer from this page, which cannot be told apart on an isolated page",
    });
  }
  return new ConnectionError(
    failed.toolName,
    `${host} could not be reached: it does not exist, is down, refuses the connection, has a bad certificate, or this page's Content-Security-Policy (connect-src) or Cross-Origin-Embedder-Policy forbids it. The browser does not say which`,
    { cause: failed.cause },
  );
}

function failure({ toolName, cause }: FailedFetch, reason: string): ToolCallError {
  return new ToolCallError(toolName, reason, { cause });
}

function isMixedContent(page: URL | undefined, target: URL): boolean {
  const local = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(target.hostname);
  return page?.protocol === "https:" && target.protocol === "http:" && !local;
}

/** Asks again, where asking twice does no harm, in the mode in which a redirect is told but not followed. */
async function isRedirect({ request, url, fetch, signal }: FailedFetch): Promise<boolean> {
  if (request.method !== "GET") return false;
  const response = await probe(fetch, url, {
    signal,
    init: { method: "GET", headers: request.headers, redirect: "manual" },
  });
  return response?.type === "opaqueredirect";
}

/**
 * Whether the host answers anything. Asks for its root and not for the request's
 * own path: in this mode the browser follows redirects, and the arguments of a
 * call must not travel to wherever one leads.
 */
async function answersAtAll({ fetch, signal }: FailedFetch, target: URL): Promise<boolean> {
  const response = await probe(fetch, `${target.origin}/`, { signal, init: { method: "HEAD", mode: "no-cors" } });
  return response !== undefined;
}

async function probe(
  fetch: Fetch,
  url: string,
  { signal, init }: { readonly signal: AbortSignal; readonly init: RequestInit },
): Promise<Response | undefined> {
  try {
    const response = await fetch(url, {
      ...init,
      ...requestPolicy,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT)]),
    });
    // Nobody reads it: let the connection go.
    await response.body?.cancel();
    return response;
  } catch {
    return undefined;
  }
}

interface CorsFinding {
  readonly host: string;
  readonly page: URL | undefined;
  /** What is known of the host. */
  readonly found: string;
}

function corsError(failed: FailedFetch, { host, page, found }: CorsFinding): CorsError {
  const origin = page === undefined ? "this page's origin" : page.origin;
  const preflight = preflightHeaders(failed.request);
  const allowOrigin = "Access-Control-Allow-Origin";
  const asked =
    preflight.length === 0
      ? ""
      : `, or, since this request is announced first by an OPTIONS request, ${preflight.map(({ text }) => text).join(" or ")}`;
  // Asking again to find out could carry the request out twice.
  const redirect =
    failed.request.method === "GET"
      ? ""
      : "; or it was a redirect, which a tool does not follow. The request may have been carried out";
  return new CorsError(
    failed.toolName,
    host,
    [allowOrigin, ...preflight.map(({ name }) => name)],
    `${host} ${found}. Nearly always that is CORS: the answer lacks ` +
      `the header ${allowOrigin}: ${origin} (or *)${asked}${redirect}. The browser does not say more. ` +
      `The owner of ${host} can add the header, or a proxy of yours can (the setting \`corsProxy\`)`,
  );
}

const simpleHeaders = new Set(["accept", "accept-language", "content-language", "range"]);
const simpleTypes = new Set(["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"]);

/** What the server must allow beside the origin, because the request is not one that a plain form could make. */
function preflightHeaders({ method, headers }: ToolRequest): { readonly name: string; readonly text: string }[] {
  const special = [...headers.entries()]
    .filter(([name, value]) => {
      if (name === "content-type") return !simpleTypes.has((value.split(";", 1)[0] ?? "").trim().toLowerCase());
      return !simpleHeaders.has(name);
    })
    .map(([name]) => name);
  const methods = "Access-Control-Allow-Methods";
  const names = "Access-Control-Allow-Headers";
  return [
    ...(method === "GET" || method === "POST" ? [] : [{ name: methods, text: `${methods}: ${method}` }]),
    ...(special.length === 0 ? [] : [{ name: names, text: `${names}: ${special.join(", ")}` }]),
  ];
}

function brief(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
