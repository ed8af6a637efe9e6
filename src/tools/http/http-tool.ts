import { checkArgument, optionCheck } from "../../options/index.js";
import { messageOf, type Value } from "../../protocol/index.js";
import { UsedSecrets } from "../../secrets/index.js";

import { checkArguments } from "../arguments.js";
import { CallDeadline } from "../requests/call-deadline.js";
import type { Tool, ToolAdapter, ToolCallable, ToolContext, ToolParameter } from "../definition.js";
import { ConnectionError, ToolArgumentError, ToolCallError, ToolCancelledError, ToolTimeoutError } from "../errors.js";
import { HTTP_TOOL_OPTIONS, type HttpToolOptions } from "../requests/request-options.js";
import { hostsOf, isPath, pageAddress, routeRequest } from "../requests/request-route.js";
import { sendRequest } from "../requests/send-request.js";
import type { HttpFixedPart, HttpRecipe, HttpToolFile } from "./http-service.js";
import { buildRequest, sentValue, type HttpCall } from "./http-request.js";
import { readResponse } from "./http-response.js";
import { fillAuth } from "./auth.js";
import { missesLink, PageWalk, type NextPage, type PageRule } from "./pages.js";
import { delayBefore, retryAfter, sleep } from "./retry.js";

const checkOptions = optionCheck<HttpToolOptions>("httpTool", HTTP_TOOL_OPTIONS);

/**
 * A tool whose recipes are requests to one HTTP service.
 *
 * @throws {OptionError}
 */
export function httpTool(file: HttpToolFile, options: HttpToolOptions = {}): ToolAdapter {
  checkArgument("httpTool", "file", file, "object");
  checkOptions(options);
  return new HttpTool(file, options);
}

/** See {@link httpTool}. */
export class HttpTool implements ToolAdapter {
  readonly tool: Tool;
  readonly #file: HttpToolFile;
  readonly #options: HttpToolOptions;
  readonly #secrets: UsedSecrets;
  readonly #recipes: ReadonlyMap<string, { readonly recipe: HttpRecipe; readonly callable: ToolCallable }>;

  constructor(file: HttpToolFile, options: HttpToolOptions) {
    this.#file = file;
    this.#options = options;
    this.#secrets = UsedSecrets.of(options.secrets);
    this.#recipes = new Map(file.recipes.map((recipe) => [recipe.name, { recipe, callable: callableOf(recipe) }]));
    const addresses = file.recipes.map(({ baseUrl = file.baseUrl }) => baseUrl);
    const hosts = hostsOf(addresses, options.pageUrl ?? pageAddress());
    this.tool = {
      name: file.name,
      description: file.description,
      tags: file.tags,
      timeout: file.timeout,
      hints: {},
      callables: Array.from(this.#recipes.values(), ({ callable }) => callable),
      ...(hosts === undefined ? {} : { hosts }),
    };
  }

  async call(
    callable: string | null,
    args: Readonly<Record<string, Value>>,
    context: Pick<ToolContext, "signal" | "report">,
  ): Promise<Value> {
    const { recipe, callable: called } = this.#recipe(callable ?? this.#file.name);
    const checked = checkArguments(this.#file.name, called, args);
    const deadline = new CallDeadline(context.signal, this.#file.timeout);
    try {
      return await this.#secrets.guard(() => this.#answer({ recipe, args: checked, signal: deadline.signal }, context));
    } catch (error) {
      if (context.signal.aborted) throw new ToolCancelledError(this.#file.name);
      if (deadline.expired) throw new ToolTimeoutError(this.#file.name, this.#file.timeout);
      throw error;
    } finally {
      deadline.end();
    }
  }

  async #answer({ recipe, args, signal }: RecipeCall, { report }: Pick<ToolContext, "report">): Promise<Value> {
    const { pages } = recipe;
    const neededBy = { secrets: this.#secrets, toolName: this.#file.name };
    const credentials = await fillAuth(recipe.auth, neededBy);
    const fixed = await Promise.all(recipe.fixed.map((part) => this.#fill(part)));
    const pageUrl = this.#options.pageUrl ?? pageAddress();
    const call: HttpCall = { file: this.#file, recipe: { ...recipe, fixed }, args, pageUrl, credentials };
    const wanted = pages === undefined ? undefined : this.#pagesWanted(pages, args);
    if (pages === undefined || wanted === undefined) return (await this.#exchange(call, signal)).value;
    const walk = new PageWalk(pages, this.#file.name);
    let next: NextPage | undefined;
    for (let count = 0; count < wanted && (count === 0 || next !== undefined); count += 1) {
      const asked = followed(call, next);
      const { value, headers, url, isForeign } = await this.#exchange(asked, signal);
      next = walk.take({ value, headers, url, sent: (name) => sentValue(asked, name) });
      // Of another origin a page sees the headers that are exposed to it, and no sign of the others.
      if (count === 0 && wanted > 1 && isForeign && missesLink(pages, headers)) {
        report({ progress: 1, total: wanted, message: unseenLink(url) });
      }
    }
    return walk.items;
  }

  #pagesWanted({ argument, maxPages }: PageRule, args: RecipeCall["args"]): number | undefined {
    const wanted = args[argument];
    if (wanted === undefined || wanted === null) return undefined;
    if (typeof wanted === "number" && Number.isInteger(wanted) && wanted >= 1 && wanted <= maxPages) return wanted;
    const reason = `Parameter '${argument}' must be a whole number from 1 to ${String(maxPages)}`;
    throw new ToolArgumentError(this.#file.name, reason, { args, parameter: argument });
  }

  async #fill(part: HttpFixedPart): Promise<HttpFixedPart> {
    if (part.holdsSecrets !== true || typeof part.value !== "string") return part;
    return { ...part, value: await this.#secrets.fill(part.value, `tool '${this.#file.name}'`) };
  }

  /** One request and its answer, tried again where that can help and does no harm. */
  async #exchange(call: HttpCall, signal: AbortSignal): Promise<Exchanged> {
    const { recipe, args } = call;
    const { retry, hints } = recipe;
    const request = buildRequest(call);
    const key = retry.idempotencyKey;
    if (key !== undefined && !request.headers.has(key)) request.headers.set(key, crypto.randomUUID());
    const isRepeatable = hints.readOnly === true || hints.idempotent === true || key !== undefined;
    const attempts = isRepeatable ? retry.attempts : 1;
    const url = this.#route(request.url, call);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      let wait: number | undefined;
      try {
        const response = await sendRequest(request, {
          toolName: this.#file.name,
          url,
          pageUrl: call.pageUrl,
          fetch: this.#options.fetch,
          signal,
          hostsAreLimited: this.#options.allowedHosts !== undefined,
        });
        const wanted = retryAfter(response.headers);
        wait = isLast || !retry.statuses.includes(response.status) ? undefined : delayBefore(retry, attempt, wanted);
        if (wait === undefined) {
          const value = await this.#read(response, { call, facts: factsOf(attempt, wanted) });
          return { value, headers: response.headers, url: request.url, isForeign: response.type === "cors" };
        }
        await response.body?.cancel();
      } catch (error) {
        if (isLast || signal.aborted || !(error instanceof ConnectionError)) throw withArguments(error, args);
        wait = delayBefore(retry, attempt, undefined) ?? 0;
      }
      await sleep(wait, signal);
    }
  }

  async #read(
    response: Response,
    { call, facts }: { readonly call: HttpCall; readonly facts: Readonly<Record<string, Value>> },
  ): Promise<Value> {
    const { recipe, args } = call;
    const { response: kind, maxResponse: maxBytes, method } = recipe;
    const strike = (text: string, isWhole: boolean): string =>
      isWhole ? this.#secrets.strikeText(text) : this.#secrets.strikeCutText(text);
    try {
      return await readResponse(this.#file.name, response, { kind, args, maxBytes, method, strike, facts });
    } catch (error) {
      if (error instanceof ToolCallError) throw error;
      const reason = messageOf(error);
      throw new ConnectionError(this.#file.name, `the connection broke while the answer came: ${reason}`, {
        args,
        cause: error,
      });
    }
  }

  #recipe(name: string): { readonly recipe: HttpRecipe; readonly callable: ToolCallable } {
    const found = this.#recipes.get(name);
    if (found !== undefined) return found;
    if (this.#recipes.size === 0) throw new ToolArgumentError(this.#file.name, "it has nothing that can be called");
    const shown = [...this.#recipes.keys()].slice(0, 20).join(", ");
    const more = this.#recipes.size - 20;
    const choices = more > 0 ? `${shown} and ${String(more)} more` : shown;
    throw new ToolArgumentError(this.#file.name, `it is not called by itself, but by one of its recipes: ${choices}`);
  }

  /** Where a request goes, once it is clear that it may. */
  #route(target: URL, { recipe, pageUrl }: HttpCall): string {
    const { allowedHosts, proxy } = this.#options;
    return routeRequest(target, {
      toolName: this.#file.name,
      byPath: isPath(recipe.baseUrl ?? this.#file.baseUrl),
      pageUrl,
      allowedHosts,
      proxy,
      byPathHint: "Write `base_url` as a path, such as `./data`",
    });
  }
}

interface RecipeCall {
  readonly recipe: HttpRecipe;
  readonly args: Readonly<Record<string, Value>>;
  readonly signal: AbortSignal;
}

interface Exchanged {
  readonly value: Value;
  readonly headers: Headers;
  /** Without a proxy. */
  readonly url: URL;
  /** It came from another origin, so that CORS decides which of its headers are seen. */
  readonly isForeign: boolean;
}

/** A recipe as others see it. Its schemas are made when somebody looks. */
function callableOf({ name, description, parameters, hints, pages, schemas }: HttpRecipe): ToolCallable {
  const all = parameters.map(({ parameter }) => parameter);
  const plain = { name, description, hints, parameters: pages === undefined ? all : [...all, pagesParameter(pages)] };
  if (schemas === undefined) return plain;
  const { input, output } = schemas;
  const described = {
    ...plain,
    get inputSchema() {
      return input();
    },
  };
  if (output === undefined) return described;
  return Object.defineProperty(described, "outputSchema", { get: output, enumerable: true });
}

function pagesParameter({ argument, maxPages }: PageRule): ToolParameter {
  return {
    name: argument,
    type: "integer",
    required: false,
    description: `Asks for so many pages, at most ${String(maxPages)}, and returns their items as one list. Without it: the first page as it is.`,
    schema: { type: "integer", minimum: 1, maximum: maxPages },
  };
}

/** The call for the next page. */
function followed(call: HttpCall, next: NextPage | undefined): HttpCall {
  if (next === undefined) return call;
  if (next.kind === "address") return { ...call, address: next.url };
  return { ...call, extra: new Map([[next.name, next.value]]) };
}

function factsOf(attempts: number, retryAfter: number | undefined): Readonly<Record<string, Value>> {
  return {
    ...(attempts === 1 ? {} : { attempts }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter / 1000 }),
  };
}

function unseenLink({ host }: URL): string {
  return (
    `the answer of ${host} shows no header Link, so its first page counts as its last. If there are more pages, ` +
    `the service has to send Access-Control-Expose-Headers: Link`
  );
}

/** What is known of a connection does not include the arguments. */
function withArguments(error: unknown, args: Readonly<Record<string, Value>>): unknown {
  if (!(error instanceof ConnectionError) || Object.keys(error.toolArgs).length > 0) return error;
  return new ConnectionError(error.toolName, error.reason, { args, cause: error.cause });
}
