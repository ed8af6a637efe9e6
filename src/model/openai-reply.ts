import { z } from "zod";

import { ModelResponseError, ModelServerError, type ModelAddress } from "./errors.js";
import type { FinishReason, ModelChunk, ModelToolCall, ModelUsage } from "./model.js";
import type { FaultReader } from "./openai-errors.js";
import { SecretFilter } from "./secret-filter.js";
import { ToolCallPieces } from "./tool-call-pieces.js";

/** Characters of text, thought and calls together; some six times what the longest replies have. */
const LONGEST_REPLY = 4_000_000;

const Arguments = z.union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))]);

// Mistral's reasoning models send parts where others send a string.
const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional(), thinking: z.unknown().optional() })),
]);

const Delta = z.object({
  content: Content.nullish(),
  refusal: z.string().nullish(),
  // DeepSeek, vLLM, llama.cpp and most others; then OpenRouter, Ollama and Groq.
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  tool_calls: z
    .array(
      z.object({
        index: z.number().nullish(),
        id: z.string().nullish(),
        function: z.object({ name: z.string().nullish(), arguments: Arguments.nullish() }).nullish(),
      }),
    )
    .nullish(),
});

const Count = z.int().nonnegative();

const ChunkData = z.object({
  choices: z.array(z.object({ delta: Delta.nullish(), finish_reason: z.string().nullish() })).nullish(),
  // A count that cannot be read is no reason to lose the reply.
  usage: z.object({ prompt_tokens: Count, completion_tokens: Count }).nullish().catch(null),
});

/** An error that stands where a chunk should; the SDK knows only those below `error`. */
const StreamedError = z.union([
  z.looseObject({ object: z.literal("error"), message: z.string() }),
  z.looseObject({ type: z.literal("error"), message: z.string() }),
]);

type Channel = "text" | "reasoning";

/** Puts the chunks of one stream together and knows whether they made a whole reply. */
export class ReplyReader {
  /** Characters of the reply's text so far. */
  received = 0;
  readonly #address: ModelAddress;
  readonly #apiKey: string;
  readonly #faults: FaultReader;
  readonly #filters: Readonly<Record<Channel, SecretFilter>>;
  readonly #calls = new ToolCallPieces();
  #length = 0;
  #chunks = 0;
  #isRefused = false;
  #isMarkedDone = false;
  #finishReason: FinishReason | null = null;
  #usage: ModelUsage | null = null;

  constructor(address: ModelAddress, apiKey: string, faults: FaultReader) {
    this.#address = address;
    this.#apiKey = apiKey;
    this.#faults = faults;
    this.#filters = { text: new SecretFilter(apiKey), reasoning: new SecretFilter(apiKey) };
  }

  /** What `data` adds to the reply. */
  *read(data: unknown): Iterable<ModelChunk> {
    const { choices, usage } = this.#parse(data);
    this.#chunks++;
    if (usage) this.#usage = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
    const [choice] = choices ?? [];
    if (choice === undefined) return;
    if (choice.finish_reason) this.#finishReason = this.#readFinish(choice.finish_reason);
    const { content, refusal, reasoning_content, reasoning, tool_calls } = choice.delta ?? {};
    if (refusal) this.#isRefused = true;
    // The two fields say the same where a server sends both.
    const thought = (reasoning_content ?? reasoning ?? "") + partsOf(content, "thinking");
    yield* this.#push("reasoning", thought);
    yield* this.#push("text", partsOf(content, "text") + (refusal ?? ""));
    for (const { index, id, function: called } of tool_calls ?? []) {
      this.#count((called?.arguments?.length ?? 0) + (called?.name?.length ?? 0) + (id?.length ?? 0) + 1);
      this.#calls.add({ index, id, name: called?.name, arguments: called?.arguments });
    }
  }

  /** The server marked the end of the stream, or sent the reply in one piece. */
  markDone(): void {
    this.#isMarkedDone = true;
  }

  /** What was held back so far. */
  *flush(): Iterable<ModelChunk> {
    for (const type of ["reasoning", "text"] as const) {
      const rest = this.#filters[type].flush();
      if (rest !== "") yield { type, text: rest };
    }
  }

  /**
   * The end of the reply.
   *
   * @throws {ModelResponseError} when the stream was none, or stopped in the middle.
   */
  *finish(contentType: string): Iterable<ModelChunk> {
    if (this.#chunks === 0) {
      const isRetryable = contentType.startsWith("text/event-stream");
      const problem = `the stream has no content (it came as ${contentType})`;
      throw new ModelResponseError(this.#address, problem, { isRetryable, isElsewhere: !isRetryable });
    }
    // The mark is an end of the stream as well; not every server gives a reason beside it.
    if (this.#isMarkedDone && this.#length > 0) this.#finishReason ??= "stop";
    if (this.#finishReason === null) {
      const soFar = `${String(this.received)} characters`;
      throw new ModelResponseError(this.#address, `the stream stopped after ${soFar}, before the reply was finished`);
    }
    const isCut = this.#finishReason === "length" || this.#finishReason === "filter";
    const calls = this.#calls.finish(this.#address, isCut);
    for (const call of calls) yield { type: "tool-call", call: this.#struck(call) };
    yield { type: "done", finishReason: this.#reasonWith(calls.length), usage: this.#usage };
  }

  #parse(data: unknown): z.infer<typeof ChunkData> {
    const error = StreamedError.safeParse(data);
    if (error.success) throw this.#faults.translateFault(this.#faults.readStreamed(error.data));
    const result = ChunkData.safeParse(data);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    const where = issue === undefined ? "" : ` (${issue.path.join(".") || "chunk"}: ${issue.message})`;
    throw new ModelResponseError(this.#address, `a chunk of the stream is malformed${where}`);
  }

  #readFinish(reason: string): FinishReason {
    if (reason === "error") throw new ModelServerError(this.#address, { status: null, reason: "" });
    return finishReasons.get(reason.toLowerCase()) ?? "other";
  }

  /** Servers disagree about the reason of a reply with calls; an agent must not wait for calls that are not there. */
  #reasonWith(calls: number): FinishReason {
    const reason = this.#finishReason ?? "other";
    if (calls > 0 && (reason === "stop" || reason === "other")) return "tool-calls";
    if (this.#isRefused && ["stop", "other", "tool-calls"].includes(reason) && calls === 0) return "refusal";
    return calls === 0 && reason === "tool-calls" ? "stop" : reason;
  }

  *#push(type: Channel, text: string): Iterable<ModelChunk> {
    if (text === "") return;
    this.#count(text.length);
    if (type === "text") this.received += text.length;
    // What was held back of the other channel came before this.
    const before = type === "text" ? "reasoning" : "text";
    const rest = this.#filters[before].flush();
    if (rest !== "") yield { type: before, text: rest };
    const clean = this.#filters[type].push(text);
    if (clean !== "") yield { type, text: clean };
  }

  #count(length: number): void {
    this.#length += length;
    if (this.#length <= LONGEST_REPLY) return;
    const problem = `the reply is longer than ${String(LONGEST_REPLY)} characters`;
    throw new ModelResponseError(this.#address, problem, { isRetryable: false });
  }

  #struck({ id, name, arguments: text }: ModelToolCall): ModelToolCall {
    const strike = (whole: string): string => {
      const filter = new SecretFilter(this.#apiKey);
      return filter.push(whole) + filter.flush();
    };
    return { id: strike(id), name: strike(name), arguments: strike(text) };
  }
}

const finishReasons = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["eos", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "filter"],
  ["safety", "filter"],
  ["refusal", "refusal"],
  ["tool_calls", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["function_call", "tool-calls"],
]);

function partsOf(content: z.infer<typeof Content> | null | undefined, kind: "text" | "thinking"): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return kind === "text" ? content : "";
  const parts = content.filter(({ type }) => type === kind);
  if (kind === "text") return parts.map(({ text }) => text ?? "").join("");
  return parts.map(({ thinking }) => thoughtOf(thinking)).join("");
}

/** A thought is a string, or parts of text again. */
function thoughtOf(thinking: unknown): string {
  const parts = z.array(z.looseObject({ text: z.string() })).safeParse(thinking);
  if (parts.success) return parts.data.map(({ text }) => text).join("");
  return typeof thinking === "string" ? thinking : "";
}
