import type { CommandFetch, CommandRequest } from "../../commands/index.js";
import { ProgramAddressError } from "../../commands/index.js";
import { HostNotAllowedError, pageAddress, readBytes, routeRequest, sendRequest } from "../../tools/index.js";

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
    if (request.body !== null && /^(?:GET|HEAD)$/i.test(request.method))
      throw new TypeError(`a browser sends no body with a ${request.method} request`);
    const response = await send(url, request, { toolName: "curl", target, signal, options });
    return {
      url: target.href,
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: await readWhole(response),
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
    const request = { method: "GET", headers: {}, body: null };
    const response = await send(url, request, { toolName: command, target, signal, options });
    if (!response.ok) throw new ProgramAddressError(command, `the server answered ${String(response.status)}`);
    return readWhole(response);
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
  readonly target: URL;
  readonly signal: AbortSignal;
  readonly options: CommandRequestOptions;
}

function send(
  url: string,
  { method, headers, body }: Pick<CommandRequest, "method" | "headers" | "body">,
  { toolName, target, signal, options }: Sending,
): Promise<Response> {
  const request = { url: target, method, headers: new Headers({ ...headers }), body: body ?? undefined };
  const hostsAreLimited = options.allowedHosts !== undefined;
  return sendRequest(request, { toolName, url, pageUrl: pageAddress(), signal, hostsAreLimited });
}

function addressOf(url: string): URL {
  if (!/^https?:\/\//i.test(url)) throw new TypeError(`'${url}' is no address that begins with http:// or https://`);
  return new URL(url);
}

async function readWhole(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, isWhole } = await readBytes(response, MAX_ANSWER);
  if (!isWhole) throw new RangeError(`the answer is larger than ${String(MAX_ANSWER)} bytes`);
  return bytes;
}
