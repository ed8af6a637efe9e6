import { OpenAI } from "openai";

import { ModelResponseError, ModelTimeoutError, type ModelAddress } from "./errors.js";
import type { CompleteOptions, ModelChunk, ModelNotice, ModelRequest } from "./model.js";
import { FaultReader, withErrorField } from "./openai-errors.js";
import { ReplyReader } from "./openai-reply.js";
import {
  refusalNotice,
  refusedParameter,
  refusesTools,
  requestBody,
  RequestForms,
  type OptionalParameter,
} from "./openai-request.js";
import { SecretFilter } from "./secret-filter.js";
import { SilenceWatch } from "./silence-watch.js";
import { isJson, streamOfCompletion } from "./whole-completion.js";
import { watchBody, type BodyListener } from "./watch-body.js";

/** Settings that were checked. */
export interface OpenAIClientSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly sees: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

/** The part of `openaiModel` that is loaded with its first request, the SDK included. */
export class OpenAIClient {
  readonly #model: string;
  readonly #baseURL: string;
  readonly #apiKey: string;
  readonly #timeout: number;
  readonly #address: ModelAddress;
  readonly #faults: FaultReader;
  #forms = new RequestForms();

  constructor({ baseURL, apiKey, model, sees, timeout }: OpenAIClientSettings) {
    this.#model = model;
    this.#baseURL = baseURL;
    this.#apiKey = apiKey;
    this.#timeout = timeout;
    const { origin, pathname } = new URL(baseURL);
    const server = new SecretFilter(apiKey).strike(origin + pathname.replace(/\/$/, ""));
    this.#address = { model, server };
    this.#faults = new FaultReader(this.#address, apiKey);
    // Nobody knows better than the settings that this model takes no images.
    if (!sees) this.#forms.refuse("images");
  }

  async *complete(request: ModelRequest, { signal }: CompleteOptions = {}): AsyncIterable<ModelChunk> {
    signal?.throwIfAborted();
    const watch = new SilenceWatch(this.#timeout, signal);
    const reply = new ReplyReader(this.#address, this.#apiKey, this.#faults);
    try {
      const listener: BodyListener = {
        heard: () => {
          watch.touch();
        },
        done: () => {
          reply.markDone();
        },
      };
      const { stream, contentType, notices } = yield* this.#open(request, { signal: watch.signal, listener });
      for (const notice of notices) yield { type: "notice", notice };
      for await (const chunk of stream) {
        watch.touch();
        yield* reply.read(chunk);
      }
      // The SDK ends its iterator silently when the request was aborted.
      signal?.throwIfAborted();
      if (watch.expired) throw this.#silence(reply);
      yield* reply.flush();
      yield* reply.finish(contentType);
    } catch (error) {
      // What was received is good, whatever came after it.
      yield* reply.flush();
      signal?.throwIfAborted();
      throw watch.expired ? this.#silence(reply) : this.#faults.translate(error, reply.received);
    } finally {
      watch.stop();
    }
  }

  /** Sends the request, again in another form or without a parameter as long as the server refuses one that we can do without. */
  async *#open(
    request: ModelRequest,
    { signal, listener }: { readonly signal: AbortSignal; readonly listener: BodyListener },
  ) {
    const forms = this.#forms.copy();
    const forGood = this.#forms.copy();
    const notices = new Map<OptionalParameter, ModelNotice | null>();
    for (;;) {
      const { body, sent } = requestBody(this.#model, request, forms);
      try {
        const sdk = this.#sdk(listener);
        const { data, response } = await sdk.chat.completions.create(body, { signal }).withResponse();
        // Only now is it certain that the refusals were meant: an error may quote a word of the prompt.
        this.#forms = forGood;
        return {
          stream: data,
          contentType: response.headers.get("content-type") ?? "no content type",
          notices: [...notices.values()].filter((notice) => notice !== null),
        };
      } catch (error) {
        const fault = this.#faults.read(error);
        if (fault === undefined) throw error;
        const refused = refusedParameter(fault, sent);
        if (refused === undefined) {
          if (body.tools !== undefined && refusesTools(fault)) throw this.#faults.withoutTools(fault);
          throw error;
        }
        const { parameter } = refused;
        forms.refuse(parameter);
        if (refused.forGood) forGood.refuse(parameter);
        const isLeftOut = forms.of(parameter) === undefined;
        const reason = this.#faults.shorten(fault);
        notices.set(parameter, refusalNotice(this.#model, { parameter, isLeftOut, reason }));
      }
      yield { type: "asked-again" } as const;
    }
  }

  #sdk(listener: BodyListener): OpenAI {
    return new OpenAI({
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
      fetch: (url, init) => this.#fetch(url, init, listener),
      defaultHeaders: { ...unwantedHeaders, ...(this.#apiKey === "" ? { Authorization: null } : {}) },
    });
  }

  // A redirect turns the POST into a GET or carries the key elsewhere; neither can be meant.
  async #fetch(url: string | URL | Request, init: RequestInit | undefined, listener: BodyListener): Promise<Response> {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    const redirected = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
    if (redirected) {
      const problem = "it redirects to another address";
      throw new ModelResponseError(this.#address, problem, { isRetryable: false, isElsewhere: true });
    }
    const watched = watchBody(response, {
      ...listener,
      tooLong: (what) => new ModelResponseError(this.#address, `it sends ${what}`, { isRetryable: false }),
    });
    if (!response.ok) return withErrorField(watched);
    return isJson(response) ? streamOfCompletion(watched, listener) : watched;
  }

  #silence(reply: ReplyReader): ModelTimeoutError {
    return new ModelTimeoutError(this.#address, { limit: this.#timeout, received: reply.received });
  }
}

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
