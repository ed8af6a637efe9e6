/** What a server says about a conversation that it finds too long. */
export interface ContextLength {
  /** Tokens that fit. */
  readonly limit: number | null;
  /** Tokens that were asked for: the conversation, and the reply where one was reserved. */
  readonly requested: number | null;
  /** Of these, what was reserved for the reply. */
  readonly reserved: number | null;
}

/**
 * The codes of OpenAI, Azure, Groq and vLLM, of llama.cpp, and of gateways that pass on another provider's.
 */
const CODES = new Set(["context_length_exceeded", "exceed_context_size_error", "model_context_window_exceeded"]);

/**
 * The protocol has a code for it, and most servers only a sentence. These are the words of OpenAI, Azure, vLLM, SGLang
 * and OpenRouter ("maximum context length is"), llama.cpp and LM Studio ("available context size", "greater than the
 * context length"), Ollama, Groq ("reduce the length of the messages"), xAI ("maximum prompt length"), Anthropic and
 * Bedrock ("is too long"), Google ("token count … exceeds"), Kimi ("exceeded model token limit"), and TGI
 * ("`inputs` must have less than").
 */
const SENTENCES = [
  /maximum (model |context |prompt |input )+length/,
  /(exceed|greater|larger|longer|too (long|large)|overflow|reduce)[^.]*\bcontext[ _-]?(length|window|size|limit)/,
  /context[ _-]?(length|window|size|limit)[^.]*(exceed|too (long|large)|overflow|not enough)/,
  /\b(prompt|inputs?|messages?|conversation|request)( (is|are|was|were))? too (long|large)/,
  /too (long|large) for (the |this |requested )?model/,
  /(token (count|limit)|number of tokens)[^.]*exceed|exceed[^.]*(token (count|limit)|number of tokens)/,
  /reduce the length of/,
  /`?inputs`?[^.]* must (be <=|have less than)/,
];

/** A limit of the account, not of the model: waiting helps, a shorter conversation need not. */
const LIMITS_OF_RATE = /rate.?limit|too many requests|quota|\b(per|a) (second|minute|hour|day)\b/;

/** Null when the error is about something else. `detail` is the error as the server sent it. */
export function readContextLength(fault: {
  readonly status: number | null;
  readonly codes: readonly string[];
  readonly text: string;
  readonly detail: unknown;
}): ContextLength | null {
  const { status, codes, detail } = fault;
  const text = fault.text.toLowerCase().replace(/(?<=\d),(?=\d{3})/g, "");
  const isNamed = codes.some((code) => CODES.has(code));
  const mayBe = status === null || [400, 413, 422, 500].includes(status);
  const isSaid = mayBe && !LIMITS_OF_RATE.test(text) && SENTENCES.some((sentence) => sentence.test(text));
  // Whatever limit a 413 speaks of, only less can pass it.
  if (!isNamed && !isSaid && status !== 413) return null;
  const limit = numberField(detail, "n_ctx") ?? firstNumber(text, LIMITS);
  const reserved = firstNumber(text, RESERVATIONS);
  const requested = numberField(detail, "n_prompt_tokens") ?? firstNumber(text, REQUESTS);
  if (requested !== null) return { limit, requested, reserved };
  const input = firstNumber(text, INPUTS);
  return { limit, requested: input === null ? null : input + (reserved ?? 0), reserved };
}

const LIMITS = [
  /(?:maximum|available) (?:model |context |prompt |input )+(?:length|size|window)(?: of this model)?(?: is| of|:)? ?\(?(\d+)/,
  /with (\d+) maximum context/,
  /> ?(\d+)/,
  /context (?:length|window|size|limit)(?: is| of|:)? ?(?:only )?\(?(\d+)/,
  /tokens allowed \((\d+)\)/,
  /token limit:? ?(?:of )?\(?(\d+)/,
  /must (?:be <=|have less than) (\d+)/,
  /\blimit:? (\d+)/,
];

const REQUESTS = [
  /requested:? (?:about )?(\d+)/,
  /resulted in (\d+) tokens/,
  /too long: (\d+)/,
  /token count (?:of )?\(?(\d+)/,
  /request \((\d+) tokens\)/,
  /requested tokens \((\d+)\)/,
  /contains? (?:at least )?(\d+) tokens/,
];

/** Of the conversation alone. */
const INPUTS = [/has (?:at least )?(\d+) input tokens/, /given: (\d+)/, /(\d+) \+ \d+ >/];

const RESERVATIONS = [
  /(\d+) (?:in|for) the (?:completion|output)/,
  /tokens'? is too large: (\d+)/,
  /tokens and (\d+) `?max_new_tokens/,
  /\d+ \+ (\d+) >/,
];

function firstNumber(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}

function numberField(detail: unknown, name: string): number | null {
  if (typeof detail !== "object" || detail === null) return null;
  const value: unknown = Reflect.get(detail, name);
  return typeof value === "number" ? value : null;
}
