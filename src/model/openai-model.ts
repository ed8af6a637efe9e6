import { optionCheck } from "../options/index.js";
import { messageOf } from "../protocol/index.js";
import { ModelClientError, ModelSettingsError } from "./errors.js";
import type { CompleteOptions, Model, ModelChunk, ModelRequest } from "./model.js";
import type { OpenAIClient, OpenAIClientSettings } from "./openai-client.js";
import { checkApiKey, checkBaseURL } from "./openai-settings.js";
import { SecretFilter } from "./secret-filter.js";

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
  /** Whether the model takes images. Default: false; it is then given the text that stands for them. */
  readonly sees?: boolean;
  /** Milliseconds without any sign of the server before it is given up. Default 120,000: a local model may have to be loaded first. */
  readonly timeout?: number;
}

const checkSettings = optionCheck<OpenAIModelSettings>("openaiModel", {
  baseURL: "string",
  apiKey: "string?",
  model: "string",
  sees: "boolean?",
  timeout: "number?",
});

/**
 * A model behind any server that speaks OpenAI's chat completions. The page
 * asks it directly; the key stays in this object, and is struck from whatever
 * the server sends back. Nothing is retried, except that what the model does
 * not take (a temperature, a limit of the length, a schema, images) is left
 * out, with a notice. Without `tools` it would be another request: a model that
 * knows none fails with {@link ModelToolsError}.
 *
 * @throws {OptionError}
 * @throws {ModelSettingsError} when the settings cannot make a request.
 */
export function openaiModel(settings: OpenAIModelSettings): Model {
  checkSettings(settings);
  return new OpenAIModel(settings);
}

class OpenAIModel implements Model {
  readonly kind = "openai";
  readonly name: string;
  readonly sees: boolean;
  readonly #settings: OpenAIClientSettings;
  #client: OpenAIClient | undefined;

  constructor({ baseURL, apiKey = "", model, sees = false, timeout = 120_000 }: OpenAIModelSettings) {
    this.name = model.trim();
    this.sees = sees;
    this.#settings = { baseURL: checkBaseURL(baseURL), apiKey: checkApiKey(apiKey), model: this.name, sees, timeout };
    if (this.name === "") throw new ModelSettingsError("model", "it is empty");
  }

  problem(): string | null {
    const { hostname } = new URL(this.#settings.baseURL);
    if (this.#settings.apiKey !== "" || !KEYED.test(hostname)) return null;
    return `The model "${this.name}" has no API key, and ${hostname} wants one. Enter it in the settings.`;
  }

  withoutKey(text: string): string {
    return new SecretFilter(this.#settings.apiKey).strikeRealKey(text);
  }

  async *complete(request: ModelRequest, options: CompleteOptions = {}): AsyncIterable<ModelChunk> {
    options.signal?.throwIfAborted();
    // What was found out about the model's tastes lives in the client, so there is one for all requests.
    this.#client ??= await loadClient(this.#settings);
    yield* this.#client.complete(request, options);
  }
}

/** Services that answer no request without a key. Servers of one's own often want none. */
const KEYED =
  /(^|\.)(openai\.(com|azure\.com)|openrouter\.ai|(groq|anthropic|googleapis|deepseek)\.com|mistral\.ai|together\.xyz|x\.ai)$/;

async function loadClient(settings: OpenAIClientSettings): Promise<OpenAIClient> {
  try {
    // Loaded on first use: a page that replays recordings never needs it.
    const { OpenAIClient } = await import("./openai-client.js");
    return new OpenAIClient(settings);
  } catch (error) {
    throw new ModelClientError(messageOf(error));
  }
}
