import type { CommandFetch, CommandRequest } from "../commands/index.js";
import { ProgramAddressError } from "../commands/index.js";
import { explainFetchFailure, HostNotAllowedError, pageAddress, routeRequest } from "../tools/index.js";

export interface CommandRequestOptions {
  readonly allowedHosts: readonly string[] | undefined;
  readonly corsProxy: string | undefined;
}

/** Bytes of an answer, and of a program. */
const MAX_ANSWER = 64 * 2 ** 20;

/**
 * The requests of `curl`. Code writes the address, so they go to the hosts that the session names and, where it names
 * none, nowhere; no redirect is followed, and neither cookies nor referrer are sent.
 */
export function commandFetch(options: CommandRequestOptions): CommandFetch {
  return async (request, signal) => {
    const { allowedHosts } = options;
    const target = addressOf(request.url);
    if (allowedHosts === undefined) {
      const reason = "the session names no `allowedHosts`, and commands reach only hosts that are named there";
      throw new HostNotAllowedError("curl", target.host, reason);
    }
    const byPathHint = "Commands do not reach it";
    const url = routeRequest(target, route("curl", { ...options, byPath: false, byPathHint }));
    const response = await send(url, { toolName: "curl", request: { ...request, target }, signal, options });
    return {
      url: target.href,
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: await readCapped(response),
    };
  };
}

/** Fetches WASI programs, whose addresses stand in tool files: from allowed hosts, or by path from the page's own site. */
export function programFetch(
  options: CommandRequestOptions,
): (address: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>> {
  return async (address, signal) => {
    const command = `wasi:${address}`;
    const byPath = !/^https?:/i.test(address);
    const target = new URL(address, pageAddress());
    const byPathHint = "Write a path, such as `wasi:./programs/x.wasm`";
    const url = routeRequest(target, route(command, { ...options, byPath, byPathHint }));
    const request = { url: address, method: "GET", headers: {}, body: null, target };
    const response = await send(url, { toolName: command, request, signal, options });
    if (!response.ok) throw new ProgramAddressError(command, `the server answered ${String(response.status)}`);
    return readCapped(response);
  };
}

function route(
  toolName: string,
  {
    allowedHosts,
    corsProxy,
    ...rest
  }: CommandRequestOptions & { readonly byPath: boolean; readonly byPathHint: string },
): Parameters<typeof routeRequest>[1] {
  return { toolName, pageUrl: pageAddress(), allowedHosts, proxy: corsProxy, ...rest };
}

interface Sending {
  readonly toolName: string;
  readonly request: CommandRequest & { readonly target: URL };
  readonly signal: AbortSignal;
  readonly options: CommandRequestOptions;
}

async function send(url: string, { toolName, request, signal, options }: Sending): Promise<Response> {
  const { method, body, target } = request;
  const headers = new Headers({ ...request.headers });
  try {
    return await fetch(url, {
      method,
      headers,
      body,
      redirect: "error",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw await explainFetchFailure({
      toolName,
      request: { url: target, method, headers, body: body ?? undefined },
      url,
      pageUrl: pageAddress(),
      fetch: (again, init) => fetch(again, init),
      cause,
      signal,
      hostsAreLimited: options.allowedHosts !== undefined,
    });
  }
}

function addressOf(url: string): URL {
  if (!/^https?:\/\//i.test(url)) throw new TypeError(`'${url}' is no address that begins with http:// or https://`);
  return new URL(url);
}

async function readCapped({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > MAX_ANSWER) {
      await reader.cancel();
      throw new RangeError(`the answer is larger than ${String(MAX_ANSWER)} bytes`);
    }
    pieces.push(next.value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
