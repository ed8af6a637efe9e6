import type { OpenAI } from "openai";
import { z } from "zod";

import { messageText } from "./conversation.js";
import {
  ModelAuthError,
  ModelClientError,
  ModelError,
  ModelRateLimitError,
  ModelRequestError,
  ModelResponseError,
  ModelServerError,
  ModelSettingsError,
  ModelTimeoutError,
  ModelUnreachableError,
  type ModelAddress,
} from "./errors.js";
import type {
  CompleteOptions,
  FinishReason,
  Model,
  ModelChunk,
  ModelMessage,
  ModelRequest,
  ModelUsage,
} from "./model.js";
import { SecretFilter } from "./secret-filter.js";
import { SilenceWatch } from "./silence-watch.js";

/** Where an OpenAI-compatible server is and what to ask it for. */
export interface OpenAIModelSettings {
  /**
   * `https://api.openai.com/v1`, `https://openrouter.ai/api/v1`,
   * `http://localhost:11434/v1` (Ollama), `http://localhost:1234/v1` (LM Studio).
   */
  readonly baseURL: string;
  /** Empty for servers that want none; no Authorization header is sent then. */
  readonly apiKey?: string;
  readonly model: string;
  /** Milliseconds without any sign of the server before it is given up. Default 120,000: a local model may have to be loaded first. */
  readonly timeout?: number;
}

/**
 * A model behind any server that speaks OpenAI's chat completions. The page
 * asks it directly; the key stays in this object, and is struck from whatever
 * the server sends back. Nothing is retried, except that a parameter the model
 * refuses is left out.
 *
 * @throws {ModelSettingsError} when the settings cannot make a request.
 */
export function openaiModel(settings: OpenAIModelSettings): Model {
  return new OpenAIModel(settings);
}

type Sdk = typeof import("openai");
type ApiError = InstanceType<Sdk["APIError"]>;

/** What a server may refuse and we can do without. */
type OptionalParameter = "temperature" | "stream_options";
const OPTIONAL_PARAMETERS: readonly OptionalParameter[] = ["temperature", "stream_options"];

class OpenAIModel implements Model {
  readonly kind = "openai";
  readonly name: string;
  readonly #baseURL: string;
  readonly #apiKey: string;
  readonly #timeout: number;
  readonly #refused = new Set<OptionalParameter>();

  constructor({ baseURL, apiKey = "", model, timeout = 120_000 }: OpenAIModelSettings) {
    this.#baseURL = checkBaseURL(baseURL);
    this.#apiKey = checkApiKey(apiKey);
    this.name = model.trim();
    if (this.name === "") throw new ModelSettingsError("model", "it is empty");
    this.#timeout = timeout;
  }

  async *complete(request: ModelRequest, { signal }: CompleteOptions = {}): AsyncIterable<ModelChunk> {
    signal?.throwIfAborted();
    const sdk = await loadSdk();
    const watch = new SilenceWatch(this.#timeout, signal);
    const reply = new ReplyReader(this.#address, new SecretFilter(this.#apiKey));
    try {
      const { stream, contentType, left } = await this.#open(sdk, request, watch.signal);
      if (left.includes("temperature")) yield this.#temperatureNotice();
      for await (const chunk of stream) {
        watch.touch();
        const text = reply.read(chunk);
        if (text !== "") yield { type: "text", text };
      }
      // The SDK ends its iterator silently when the request was aborted.
      signal?.throwIfAborted();
      if (watch.expired) throw this.#silence(reply);
      const rest = reply.flush();
      if (rest !== "") yield { type: "text", text: rest };
      yield reply.finish(contentType);
    } catch (error) {
      signal?.throwIfAborted();
      if (watch.expired) throw this.#silence(reply);
      throw this.#translate(sdk, error, reply.received);
    } finally {
      watch.stop();
    }
  }

  /** Sends the request, again without a parameter as long as the server refuses one that we can do without. */
  async #open(sdk: Sdk, request: ModelRequest, signal: AbortSignal) {
    const left: OptionalParameter[] = [];
    for (;;) {
      const body = this.#body(request);
      try {
        const { data, response } = await this.#client(sdk).chat.completions.create(body, { signal }).withResponse();
        return { stream: data, contentType: response.headers.get("content-type") ?? "no content type", left };
      } catch (error) {
        const refused = OPTIONAL_PARAMETERS.find((parameter) => parameter in body && refuses(sdk, error, parameter));
        if (refused === undefined) throw error;
        this.#refused.add(refused);
        left.push(refused);
      }
    }
  }

  #body({ messages, temperature }: ModelRequest): OpenAI.ChatCompletionCreateParamsStreaming {
    return {
      model: this.name,
      messages: messages.map(messageParam),
      stream: true,
      ...(this.#refused.has("stream_options") ? {} : { stream_options: { include_usage: true } }),
      ...(temperature === undefined || this.#refused.has("temperature") ? {} : { temperature }),
    };
  }

  #client(sdk: Sdk): OpenAI {
    return new sdk.OpenAI({
      baseURL: this.#baseURL,
      // The SDK wants one; without a key the header is left out below.
      apiKey: this.#apiKey === "" ? "none" : this.#apiKey,
      adminAPIKey: null,
      organization: null,
      project: null,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      // Silence is watched here, before and after the first byte; the SDK's own limit ends with the headers.
      timeout: 2 ** 31 - 1,
      logLevel: "off",
      fetch: (url, init) => this.#fetch(url, init),
      defaultHeaders: { ...unwantedHeaders, ...(this.#apiKey === "" ? { Authorization: null } : {}) },
    });
  }

  // A redirect turns the POST into a GET or carries the key elsewhere; neither can be meant.
  async #fetch(url: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    const redirected = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
    if (redirected) throw new ModelResponseError(this.#address, "it redirects to another address");
    return response.ok ? response : withErrorField(response);
  }

  #translate(sdk: Sdk, error: unknown, received: number): unknown {
    if (error instanceof ModelError) return error;
    if (error instanceof sdk.APIConnectionError) {
      if (error.cause instanceof ModelError) return error.cause;
      return new ModelUnreachableError(this.#address, { reason: this.#reason(error.cause), received });
    }
    if (isApiError(sdk, error)) return this.#translateStatus(error);
    if (error instanceof SyntaxError) return new ModelResponseError(this.#address, "a chunk of the stream is not JSON");
    return new ModelUnreachableError(this.#address, { reason: this.#reason(error), received });
  }

  #translateStatus(error: ApiError): ModelError {
    // An error inside a stream has no status of its own; OpenRouter puts one into `code`.
    const status = error.status ?? (Number(error.code) >= 400 ? Number(error.code) : null);
    const reason = this.#shorten(serverText(error));
    if (status === 401 || status === 403) {
      return new ModelAuthError(this.#address, { status, reason, hasKey: this.#apiKey !== "" });
    }
    if (status === 429) {
      return new ModelRateLimitError(this.#address, { reason, retryAfter: readRetryAfter(error.headers) });
    }
    if (status !== null && status < 500) return new ModelRequestError(this.#address, { status, reason });
    return new ModelServerError(this.#address, { status, reason });
  }

  #silence(reply: ReplyReader): ModelTimeoutError {
    return new ModelTimeoutError(this.#address, { limit: this.#timeout, received: reply.received });
  }

  #temperatureNotice(): ModelChunk {
    const message = `"${this.name}" does not take a temperature; it was asked without one.`;
    return { type: "notice", notice: { code: "PARAMETER_REFUSED", message } };
  }

  get #address(): ModelAddress {
    const { origin, pathname } = new URL(this.#baseURL);
    const filter = new SecretFilter(this.#apiKey);
    return { model: this.name, server: filter.strike(origin + pathname.replace(/\/$/, "")) };
  }

  #reason(error: unknown): string {
    return error instanceof Error ? this.#shorten(error.message) : "";
  }

  #shorten(text: string): string {
    const clean = new SecretFilter(this.#apiKey).strike(text).replace(/\s+/g, " ").trim();
    if (/^<(!doctype|html)/i.test(clean)) return "an HTML page";
    return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
  }
}

function messageParam(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === "tool") {
    return { role: "tool", content: message.content, tool_call_id: message.toolCallId };
  }
  return { role: message.role, content: messageText(message) };
}

const ChunkData = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  // A count that cannot be read is no reason to lose the reply.
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish().catch(null),
});

/** Puts the chunks of one stream together and knows whether they made a whole reply. */
class ReplyReader {
  /** Characters of the reply so far. */
  received = 0;
  readonly #address: ModelAddress;
  readonly #filter: SecretFilter;
  #chunks = 0;
  #finishReason: FinishReason | null = null;
  #usage: ModelUsage | null = null;

  constructor(address: ModelAddress, filter: SecretFilter) {
    this.#address = address;
    this.#filter = filter;
  }

  read(data: unknown): string {
    const result = ChunkData.safeParse(data);
    if (!result.success) {
      const issue = result.error.issues[0];
      const where = issue === undefined ? "" : ` (${issue.path.join(".") || "chunk"}: ${issue.message})`;
      throw new ModelResponseError(this.#address, `a chunk of the stream is malformed${where}`);
    }
    this.#chunks++;
    const { choices, usage } = result.data;
    if (usage) this.#usage = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
    const [choice] = choices;
    if (choice?.finish_reason) this.#finishReason = finishReasons.get(choice.finish_reason) ?? "other";
    const text = (choice?.delta?.content ?? "") + (choice?.delta?.refusal ?? "");
    this.received += text.length;
    return this.#filter.push(text);
  }

  flush(): string {
    return this.#filter.flush();
  }

  /** @throws {ModelResponseError} when the stream was none, or stopped in the middle. */
  finish(contentType: string): ModelChunk {
    if (this.#chunks === 0) {
      throw new ModelResponseError(this.#address, `the stream has no content (it came as ${contentType})`);
    }
    if (this.#finishReason === null) {
      const soFar = `${String(this.received)} characters`;
      throw new ModelResponseError(this.#address, `the stream stopped after ${soFar}, before the reply was finished`);
    }
    return { type: "done", finishReason: this.#finishReason, usage: this.#usage };
  }
}

const finishReasons = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["length", "length"],
  ["content_filter", "filter"],
]);

// Every header outside the CORS safelist must be allowed by the server by name, and few allow these.
const unwantedHeaders = {
  "User-Agent": null,
  "X-Stainless-Arch": null,
  "X-Stainless-Lang": null,
  "X-Stainless-OS": null,
  "X-Stainless-Package-Version": null,
  "X-Stainless-Retry-Count": null,
  "X-Stainless-Runtime": null,
  "X-Stainless-Runtime-Version": null,
  "X-Stainless-Timeout": null,
} as const;

async function loadSdk(): Promise<Sdk> {
  try {
    // Loaded on first use: a page that replays recordings never needs it.
    return await import("openai");
  } catch (error) {
    throw new ModelClientError(error instanceof Error ? error.message : String(error));
  }
}

function checkBaseURL(baseURL: string): string {
  if (!URL.canParse(baseURL.trim())) {
    throw new ModelSettingsError("baseURL", "it is not a complete address such as https://api.openai.com/v1");
  }
  const url = new URL(baseURL.trim());
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ModelSettingsError("baseURL", `it starts with ${url.protocol} and not with https: or http:`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelSettingsError(
      "baseURL",
      "it contains a user name or password, which browsers do not send; use the API key",
    );
  }
  return url.href;
}

function checkApiKey(apiKey: string): string {
  const key = apiKey.trim();
  if (/[^\x21-\x7e]/.test(key)) {
    throw new ModelSettingsError("apiKey", "it contains a space or a character that no header can carry");
  }
  return key;
}

/** The SDK reads the reason from `error` alone; some servers put it into `detail` or `message`. */
async function withErrorField(response: Response): Promise<Response> {
  const text = await response.text();
  const body = z.looseObject({ error: z.undefined().optional() }).safeParse(parseJson(text));
  return new Response(body.success ? JSON.stringify({ error: body.data }) : text, response);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isApiError(sdk: Sdk, error: unknown): error is ApiError {
  return error instanceof sdk.APIError;
}

function refuses(sdk: Sdk, error: unknown, parameter: OptionalParameter): boolean {
  if (!isApiError(sdk, error) || (error.status !== 400 && error.status !== 422)) return false;
  return error.param === parameter || error.message.includes(parameter);
}

/** What the server itself wrote, in any of the shapes that are about. */
function serverText({ error, message, status }: ApiError): string {
  const parsed = z
    .union([z.string(), z.object({ message: z.string() }).transform((body) => body.message)])
    .safeParse(error);
  if (parsed.success) return parsed.data;
  if (message.includes("status code (no body)")) return "";
  return status === undefined ? message : message.replace(String(status), "");
}

/** Milliseconds. */
function readRetryAfter(headers: Headers | undefined): number | null {
  const milliseconds = Number(headers?.get("retry-after-ms") ?? NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get("retry-after") ?? "";
  if (text === "") return null;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const until = Date.parse(text) - Date.now();
  return Number.isNaN(until) ? null : Math.max(0, until);
}
