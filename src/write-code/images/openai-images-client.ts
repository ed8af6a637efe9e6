import { z } from "zod";

import {
  faultText,
  ModelError,
  ModelRefusedError,
  ModelResponseError,
  ModelTimeoutError,
  ModelUnreachableError,
  SecretFilter,
  ServerFaults,
  type CompleteOptions,
  type ModelAddress,
  type ServerFault,
} from "../../model/index.js";
import { decodeTextInSlices, jsonIn, messageOf, shortenUnits } from "../../protocol/index.js";
import { pageAddress, readBytes, throughProxy } from "../../tools/index.js";
import { decodeBase64 } from "./decode-base64.js";
import { imageFacts } from "./image-facts.js";
import type { GeneratedImage, ImageModelRequest } from "./image-model.js";

/** Settings that were checked. */
export interface OpenAIImagesClientSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly family: "gpt-image" | "dall-e" | "other";
  /** Milliseconds. */
  readonly timeout: number;
  /** Empty for none. */
  readonly corsProxy: string;
}

/** Bytes of an answer: an image of some twenty megabytes in base64. Of an error the beginning will do. */
const LONGEST_ANSWER = 32_000_000;
const LONGEST_ERROR = 100_000;

/** Characters of a prompt that a notice repeats. */
const LONGEST_PROMPT = 300;

/** What can be left out where a server does not know it. */
const OPTIONAL = ["size", "output_format", "response_format"] as const;
type Optional = (typeof OPTIONAL)[number];

const Answer = z.looseObject({
  data: z
    .array(
      z.looseObject({
        b64_json: z.string().nullish(),
        url: z.string().nullish(),
        revised_prompt: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .looseObject({ input_tokens: z.number().nonnegative(), output_tokens: z.number().nonnegative() })
    .nullish()
    .catch(null),
});

const ErrorBody = z.looseObject({ error: z.unknown().optional(), detail: z.unknown().optional() });

/** The part of `openaiImages` that is loaded with its first request. */
export class OpenAIImagesClient {
  readonly #settings: OpenAIImagesClientSettings;
  readonly #address: ModelAddress;
  readonly #faults: ServerFaults;
  readonly #secrets: SecretFilter;
  readonly #url: string;
  /** What this server does not know. */
  readonly #refused = new Set<string>();

  constructor(settings: OpenAIImagesClientSettings) {
    const { baseURL, apiKey, model, corsProxy } = settings;
    const { origin, pathname } = new URL(baseURL);
    const target = `${origin}${pathname.replace(/\/$/u, "")}/images/generations${new URL(baseURL).search}`;
    this.#settings = settings;
    this.#secrets = new SecretFilter(apiKey);
    this.#address = { model, server: this.#secrets.strike(origin + pathname.replace(/\/$/u, "")) };
    this.#faults = new ServerFaults(this.#address, apiKey);
    const page = pageAddress();
    const isOwn = page !== undefined && new URL(page).origin === origin;
    this.#url = corsProxy === "" || isOwn ? target : throughProxy(corsProxy, target);
  }

  async generate(request: ImageModelRequest, { signal }: CompleteOptions = {}): Promise<GeneratedImage> {
    const { timeout } = this.#settings;
    const late = AbortSignal.timeout(timeout);
    try {
      return await this.#generate(request, signal === undefined ? late : AbortSignal.any([signal, late]));
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted) throw new ModelTimeoutError(this.#address, { limit: timeout, received: 0 });
      if (error instanceof ModelError) throw error;
      throw this.#unreachable(error);
    }
  }

  async #generate(request: ImageModelRequest, signal: AbortSignal): Promise<GeneratedImage> {
    const notices: string[] = [];
    for (;;) {
      const sent = this.#parameters(request);
      const response = await this.#send({ model: this.#settings.model, prompt: request.prompt, n: 1, ...sent }, signal);
      if (response.ok) return this.#image(response, { request, notices });
      const fault = await this.#fault(response);
      const unknown = unknownParameter(fault, sent);
      if (unknown === undefined) throw this.#error(fault);
      this.#refused.add(unknown);
      if (unknown === "response_format") continue;
      const reason = this.#faults.shorten(fault.text);
      notices.push(
        `"${this.#settings.model}" was asked without ${unknown}, which its server does not take (${reason}).`,
      );
    }
  }

  /** What the two generations of OpenAI's models want said, and servers like it understand. */
  #parameters({ width, height, format }: ImageModelRequest): Partial<Record<Optional, string>> {
    const { family } = this.#settings;
    const wanted: Partial<Record<Optional, string>> = {
      size: `${String(width)}x${String(height)}`,
      // These models know no other answer than base64, and no word for it.
      ...(family === "gpt-image" ? {} : { response_format: "b64_json" }),
      // Others make PNG, and some refuse the parameter.
      ...(family === "gpt-image" || (family === "other" && format !== "png") ? { output_format: format } : {}),
    };
    return Object.fromEntries(Object.entries(wanted).filter(([name]) => !this.#refused.has(name)));
  }

  // A redirect turns the POST into a GET or carries the key elsewhere; neither can be meant.
  async #send(body: object, signal: AbortSignal): Promise<Response> {
    const { apiKey } = this.#settings;
    const response = await fetch(this.#url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal,
    });
    const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
    if (!isRedirect) return response;
    throw this.#broken("it redirects to another address", { isRetryable: false, isElsewhere: true });
  }

  async #image(
    response: Response,
    { request, notices }: { readonly request: ImageModelRequest; readonly notices: string[] },
  ): Promise<GeneratedImage> {
    const { bytes: body, isWhole } = await readBytes(response, LONGEST_ANSWER);
    if (!isWhole) throw this.#broken(`it sends more than ${String(LONGEST_ANSWER)} bytes`, { isRetryable: false });
    const answer = Answer.safeParse(jsonIn(await decodeTextInSlices(body)));
    const [image] = answer.data?.data ?? [];
    if (image === undefined) throw this.#broken("there is no image in it", { isElsewhere: true });
    const { b64_json: text, revised_prompt: revised } = image;
    if (typeof text !== "string" || text === "") {
      const problem =
        typeof image.url === "string" ? "it sent an address in place of the image" : "there is no image in it";
      throw this.#broken(problem, { isRetryable: false });
    }
    const bytes = await decodeBase64(text);
    if (bytes === undefined || bytes.length === 0) throw this.#broken("its image is no base64");
    if (typeof revised === "string" && revised.trim() !== "" && revised !== request.prompt) {
      notices.push(
        `The image was made of another prompt: ${shortenUnits(this.#secrets.strike(revised), LONGEST_PROMPT)}`,
      );
    }
    const usage = answer.data?.usage ?? null;
    return {
      bytes,
      mime: imageFacts(bytes)?.mime ?? "application/octet-stream",
      notices,
      usage: usage === null ? null : { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    };
  }

  async #fault(response: Response): Promise<ServerFault> {
    const { bytes } = await readBytes(response, LONGEST_ERROR, { wantsBeginning: true });
    const text = new TextDecoder().decode(bytes);
    const body = ErrorBody.safeParse(jsonIn(text)).data;
    const detail = body?.error ?? body?.detail ?? body;
    return this.#faults.read({
      status: response.status,
      text: faultText(detail) ?? text,
      detail: detail ?? {},
      headers: response.headers,
    });
  }

  #error(fault: ServerFault): ModelError {
    const declines = fault.codes.some((code) => /moderation|content_policy|safety/iu.test(code));
    if (declines) return new ModelRefusedError(this.#settings.model, this.#faults.shorten(fault.text));
    return this.#faults.translate(fault);
  }

  #unreachable(error: unknown): ModelUnreachableError {
    const { corsProxy } = this.#settings;
    const way =
      corsProxy === ""
        ? "a server that does not allow pages can be reached through a proxy of yours, which `corsProxy` names"
        : "it was asked through `corsProxy`";
    const reason = `${this.#faults.shorten(messageOf(error))}; ${way}`;
    return new ModelUnreachableError(this.#address, { reason, received: 0 });
  }

  #broken(problem: string, options: ConstructorParameters<typeof ModelResponseError>[2] = {}): ModelResponseError {
    return new ModelResponseError(this.#address, problem, options);
  }
}

/**
 * The parameter that a server does not know at all. A value that it does not take, a size for instance, is an error: it says
 * which it takes.
 */
function unknownParameter(fault: ServerFault, sent: Partial<Record<Optional, string>>): Optional | undefined {
  const { status, text, parameter: named } = fault;
  if (status !== 400 && status !== 404 && status !== 422) return undefined;
  if (
    !/unknown|unrecognized|unexpected|extra |not (?:supported|permitted|allowed)|n't support|unsupported param/iu.test(
      text,
    )
  ) {
    return undefined;
  }
  if (/invalid value|supported values|must be one of/iu.test(text)) return undefined;
  const offered = OPTIONAL.filter((parameter) => sent[parameter] !== undefined);
  return offered.find((parameter) => named === parameter) ?? offered.find((parameter) => isNamedIn(text, parameter));
}

/** As a word of its own: of "response_format" alone "size" is no part, but of many a sentence. */
function isNamedIn(text: string, parameter: string): boolean {
  return new RegExp(`(?:^|[^\\w])${parameter}(?:$|[^\\w])`, "iu").test(text);
}
