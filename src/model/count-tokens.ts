import { checkArgument, optionCheck } from "../options/index.js";
import { Slices, unlessAborted } from "../protocol/index.js";
import { messageText } from "./conversation.js";
import type { ContentPart, ModelMessage, ModelTool } from "./model.js";

/** A number of tokens, estimated by o200k_base. */
export interface TokenCount {
  readonly tokens: number;
  /** Only the server that reads a conversation knows what it makes of it. */
  readonly estimated: true;
}

/** What counts beside the messages. */
export interface CountTokensOptions {
  /** Tools that the server is told of; it counts them, too. */
  readonly tools?: readonly ModelTool[];
  /** Whether images reach the model as images. Default: false; the text that stands for them is counted. */
  readonly sees?: boolean;
  /** The vocabulary is waited for no longer once it is aborted. */
  readonly signal?: AbortSignal;
}

const checkOptions = optionCheck<CountTokensOptions>("countTokens", {
  tools: "array?",
  sees: "boolean?",
  signal: "object?",
});

/** What surrounds each message: its role and two marks. */
const PER_MESSAGE = 4;
/** What an image of a screen's size costs with OpenAI; others lie between a third and double of it. */
const PER_IMAGE = 765;
// Where a text has no spaces, the time of one piece grows with the square of its length.
const LONGEST_PIECE = 1000;

/**
 * How many tokens `messages` come to, for servers that do not count.
 *
 * It counts with o200k_base, the vocabulary of OpenAI's models since GPT-4o;
 * other models differ from it by some ten percent in English and code. The
 * vocabulary is a chunk of 1.1 MB (compressed) that the first call loads;
 * where it cannot be had, four bytes count as a token. A message that was
 * counted is not counted again. The page goes on in between, however long a
 * text is.
 */
export async function countTokens(
  messages: readonly ModelMessage[],
  options: CountTokensOptions = {},
): Promise<TokenCount> {
  checkArgument("countTokens", "messages", messages, "array");
  checkOptions(options);
  const { tools = [], sees = false, signal } = options;
  const count = await counter(signal);
  const slices = new Slices();
  let tokens = 0;
  for (const message of messages) {
    tokens += PER_MESSAGE + (await countOnce(message, messageWords(message, sees), { count, slices, signal }));
    if (sees) tokens += PER_IMAGE * imagesOf(message).length;
  }
  for (const tool of tools) tokens += await countOnce(tool, JSON.stringify(tool), { count, slices, signal });
  return { tokens, estimated: true };
}

type Counter = (text: string) => number;

/** What was counted, with the text that it was counted for: a model that sees is shown another. */
const counted = new WeakMap<object, { readonly text: string; readonly tokens: number; readonly by: Counter }>();

interface Counting {
  readonly count: Counter;
  readonly slices: Slices;
  readonly signal: AbortSignal | undefined;
}

async function countOnce(owner: object, text: string, { count, slices, signal }: Counting): Promise<number> {
  const known = counted.get(owner);
  if (known?.text === text && known.by === count) return known.tokens;
  let tokens = 0;
  for (const piece of pieces(text)) {
    // The count is not waited for any more: the rest is estimated as where there is no vocabulary.
    tokens += signal?.aborted === true ? byBytes(piece) : count(piece);
    const rest = slices.rest();
    if (rest !== undefined) await rest;
  }
  if (signal?.aborted !== true) counted.set(owner, { text, tokens, by: count });
  return tokens;
}

function messageWords(message: ModelMessage, sees: boolean): string {
  const { content } = message;
  const text =
    sees && typeof content !== "string"
      ? content.map((part) => (part.type === "text" ? part.text : "")).join("\n\n")
      : messageText(message);
  if (message.role !== "assistant" || message.toolCalls === undefined) return text;
  return [text, ...message.toolCalls.map(({ id, name, arguments: given }) => `${id} ${name} ${given}`)].join("\n");
}

function imagesOf({ content }: ModelMessage): readonly ContentPart[] {
  return typeof content === "string" ? [] : content.filter(({ type }) => type === "image");
}

/** Cuts between characters, never within one. */
function* pieces(text: string): Iterable<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + LONGEST_PIECE, text.length);
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length) end++;
    yield text.slice(start, end);
    start = end;
  }
}

const encoder = new TextEncoder();

function byBytes(text: string): number {
  return Math.ceil(encoder.encode(text).length / 4);
}

let byVocabulary: Counter | undefined;

async function counter(signal: AbortSignal | undefined): Promise<Counter> {
  if (byVocabulary !== undefined) return byVocabulary;
  try {
    signal?.throwIfAborted();
    const loading = import("gpt-tokenizer/encoding/o200k_base");
    const { countTokens: count } = await (signal === undefined ? loading : unlessAborted(loading, signal));
    // Marks such as <|endoftext|> are ordinary text where a message quotes them.
    const options = { disallowedSpecial: new Set<string>() };
    byVocabulary ??= (text) => count(text, options);
    return byVocabulary;
  } catch {
    return byBytes;
  }
}
