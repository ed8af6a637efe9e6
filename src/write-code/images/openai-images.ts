import {
  SecretFilter,
  checkApiKey,
  checkBaseURL,
  ModelClientError,
  ModelSettingsError,
  type CompleteOptions,
} from "../../model/index.js";
import { optionCheck } from "../../options/index.js";
import { messageOf } from "../../protocol/index.js";
import type { GeneratedImage, ImageModel, ImageModelRequest } from "./image-model.js";
import type { OpenAIImagesClient, OpenAIImagesClientSettings } from "./openai-images-client.js";

/** Where a server is that makes images as OpenAI's does, and what to ask it for. */
export interface OpenAIImagesSettings {
  /** `https://api.openai.com/v1`, or another server with `/images/generations`. */
  readonly baseURL: string;
  /** Empty for servers that want none; no Authorization header is sent then. */
  readonly apiKey?: string;
  /** `gpt-image-1` for instance. */
  readonly model: string;
  /** Milliseconds that one image may take. Default 180,000. */
  readonly timeout?: number;
  /**
   * Through which requests go that the server does not allow to pages (CORS). `{url}` in it becomes the encoded address;
   * without it the address is appended. The key passes it, too: it is to be your own. Default: none.
   */
  readonly corsProxy?: string;
}

const checkSettings = optionCheck<OpenAIImagesSettings>("openaiImages", {
  baseURL: "string",
  apiKey: "string?",
  model: "string",
  timeout: "number?",
  corsProxy: "string?",
});

/**
 * Images of any server that has OpenAI's `/images/generations` and answers in base64. The page asks it directly; the key
 * stays in this object, and is struck from whatever the server sends back. Nothing is retried, except that a parameter which
 * the server does not know (a size, a format) is left out, with a notice.
 *
 * @throws {OptionError}
 * @throws {ModelSettingsError} when the settings cannot make a request.
 */
export function openaiImages(settings: OpenAIImagesSettings): ImageModel {
  checkSettings(settings);
  return new OpenAIImages(settings);
}

class OpenAIImages implements ImageModel {
  readonly kind = "openai";
  readonly name: string;
  readonly formats?: readonly string[];
  readonly #settings: OpenAIImagesClientSettings;
  #client: OpenAIImagesClient | undefined;

  constructor({ baseURL, apiKey = "", model, timeout = 180_000, corsProxy = "" }: OpenAIImagesSettings) {
    this.name = model.trim();
    if (this.name === "") throw new ModelSettingsError("model", "it is empty");
    const family = familyOf(this.name);
    if (family !== "other") this.formats = family === "gpt-image" ? ["png", "jpeg", "webp"] : ["png"];
    const address = { baseURL: checkBaseURL(baseURL), apiKey: checkApiKey(apiKey) };
    this.#settings = { ...address, model: this.name, family, timeout, corsProxy };
  }

  withoutKey(text: string): string {
    return new SecretFilter(this.#settings.apiKey).strikeRealKey(text);
  }

  async generate(request: ImageModelRequest, options: CompleteOptions = {}): Promise<GeneratedImage> {
    options.signal?.throwIfAborted();
    // What was found out about the server's tastes lives in the client, so there is one for all requests.
    this.#client ??= await loadClient(this.#settings);
    return this.#client.generate(request, options);
  }
}

/** Which of OpenAI's two generations of image models it is, whose requests differ; behind a router, too. */
function familyOf(model: string): OpenAIImagesClientSettings["family"] {
  if (/(?:^|\/)(?:chat)?gpt-image/iu.test(model)) return "gpt-image";
  return /(?:^|\/)dall-e-/iu.test(model) ? "dall-e" : "other";
}

async function loadClient(settings: OpenAIImagesClientSettings): Promise<OpenAIImagesClient> {
  try {
    const { OpenAIImagesClient } = await import("./openai-images-client.js");
    return new OpenAIImagesClient(settings);
  } catch (error) {
    throw new ModelClientError(messageOf(error));
  }
}
