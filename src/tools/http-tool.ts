import type { Value } from "../protocol/index.js";

import { checkArguments } from "./arguments.js";
import { CallDeadline } from "./call-deadline.js";
import type { Tool, ToolAdapter, ToolCallable, ToolContext } from "./definition.js";
import {
  HostNotAllowedError,
  ToolArgumentError,
  ToolCallError,
  ToolCancelledError,
  ToolTimeoutError,
} from "./errors.js";
import { explainFetchFailure, type Fetch } from "./fetch-failure.js";
import type { HttpRecipe, HttpToolFile } from "./http-file.js";
import { buildRequest, type HttpRequest } from "./http-request.js";
import { readResponse } from "./http-response.js";

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
}

/** A tool whose recipes are requests to one HTTP service. */
export function httpTool(file: HttpToolFile, options: HttpToolOptions = {}): ToolAdapter {
  return new HttpTool(file, options);
}

class HttpTool implements ToolAdapter {
  readonly tool: Tool;
  readonly #file: HttpToolFile;
  readonly #options: HttpToolOptions;

  constructor(file: HttpToolFile, options: HttpToolOptions) {
    this.#file = file;
    this.#options = options;
    this.tool = {
      name: file.name,
      description: file.description,
      tags: file.tags,
      timeout: file.timeout,
      hints: {},
      callables: file.recipes.map(callableOf),
    };
  }

  async call(callable: string | null, args: Readonly<Record<string, Value>>, context: ToolContext): Promise<Value> {
    const recipe = this.#recipe(callable ?? this.#file.name);
    const checked = checkArguments(this.#file.name, callableOf(recipe), args);
    const pageUrl = this.#options.pageUrl ?? pageAddress();
    const request = buildRequest({ file: this.#file, recipe, args: checked, pageUrl });
    const url = this.#route(request.url, pageUrl);
    const deadline = new CallDeadline(context.signal, this.#file.timeout);
    try {
      const response = await this.#send(request, { url, pageUrl, signal: deadline.signal });
      return await readResponse(this.#file.name, response, { kind: recipe.response, args: checked });
    } catch (error) {
      if (context.signal.aborted) throw new ToolCancelledError(this.#file.name);
      if (deadline.expired) throw new ToolTimeoutError(this.#file.name, this.#file.timeout);
      if (error instanceof ToolCallError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ToolCallError(this.#file.name, `the connection broke while the answer came: ${reason}`, {
        args: checked,
        cause: error,
      });
    } finally {
      deadline.end();
    }
  }

  #recipe(name: string): HttpRecipe {
    const recipe = this.#file.recipes.find((candidate) => candidate.name === name);
    if (recipe !== undefined) return recipe;
    const choices = this.#file.recipes.map((candidate) => candidate.name).join(", ");
    throw new ToolArgumentError(this.#file.name, `it is not called by itself, but by one of its recipes: ${choices}`);
  }

  /** Where a request goes, once it is clear that it may. */
  #route(target: URL, pageUrl: string | undefined): string {
    const { allowedHosts, proxy } = this.#options;
    const page = pageUrl === undefined ? undefined : new URL(pageUrl);
    if (isPath(this.#file.baseUrl)) return target.href;
    if (target.origin === page?.origin) {
      throw new HostNotAllowedError(
        this.#file.name,
        target.host,
        `it names the page's own site, ${target.origin}, by its host. Write \`base_url\` as a path, such as \`./data\``,
      );
    }
    if (allowedHosts !== undefined && !allowedHosts.some((pattern) => matchesHost(pattern, target))) {
      throw new HostNotAllowedError(
        this.#file.name,
        target.host,
        `the host ${target.host} is not among those that this session may talk to (${allowedHosts.join(", ") || "none"})`,
      );
    }
    return proxy === undefined || proxy === "" ? target.href : throughProxy(proxy, target.href);
  }

  async #send(
    request: HttpRequest,
    {
      url,
      pageUrl,
      signal,
    }: { readonly url: string; readonly pageUrl: string | undefined; readonly signal: AbortSignal },
  ): Promise<Response> {
    const fetch = this.#options.fetch ?? browserFetch;
    try {
      return await fetch(url, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        redirect: "error",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        // A call is a call. Chromium would also make equal requests wait for each other, for the sake of its cache.
        cache: "no-store",
        signal,
      });
    } catch (cause) {
      if (signal.aborted) throw cause;
      const toolName = this.#file.name;
      const hostsAreLimited = this.#options.allowedHosts !== undefined;
      throw await explainFetchFailure({ toolName, request, url, pageUrl, fetch, cause, signal, hostsAreLimited });
    }
  }
}

function callableOf({ name, description, parameters, hints }: HttpRecipe): ToolCallable {
  return { name, description, hints, parameters: parameters.map(({ parameter }) => parameter) };
}

function browserFetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}

function pageAddress(): string | undefined {
  return "location" in globalThis ? globalThis.location.href : undefined;
}

function isPath(baseUrl: string): boolean {
  return !/^https?:/i.test(baseUrl);
}

function matchesHost(pattern: string, { host, hostname }: URL): boolean {
  const wanted = pattern.toLowerCase();
  if (wanted.startsWith("*.")) return hostname.endsWith(wanted.slice(1));
  return wanted === host || wanted === hostname;
}

function throughProxy(proxy: string, target: string): string {
  if (proxy.includes("{url}")) return proxy.replaceAll("{url}", () => encodeURIComponent(target));
  return proxy + (proxy.endsWith("=") ? encodeURIComponent(target) : target);
}
