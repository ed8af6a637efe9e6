import { countTokens } from "./count-tokens.js";
import type { Model, ModelRequest, ModelToolCall, ModelUsage } from "./model.js";

/** What the model has said, or had until its reply ended. */
export interface SaidByModel {
  readonly reply: string;
  /** What it thought before; thoughts cost what replies cost. */
  readonly reasoning?: string;
  readonly toolCalls?: readonly ModelToolCall[];
}

/**
 * What a request and its reply come to, for servers that do not count. What is replayed costs nothing.
 *
 * @param signal - nothing is waited for once it is aborted; what is told then is rougher.
 */
export async function estimateUsage(
  { kind, sees = false }: Model,
  { messages, tools }: ModelRequest,
  { reply, reasoning = "", toolCalls = [] }: SaidByModel,
  signal?: AbortSignal,
): Promise<ModelUsage & { readonly isEstimated: boolean }> {
  if (kind === "recorded") return { inputTokens: 0, outputTokens: 0, isEstimated: false };
  const stop = signal === undefined ? {} : { signal };
  const [input, output] = await Promise.all([
    countTokens(messages, { sees, ...stop, ...(tools === undefined ? {} : { tools }) }),
    countTokens([{ role: "assistant", content: reasoning + reply, toolCalls }], stop),
  ]);
  return { inputTokens: input.tokens, outputTokens: output.tokens, isEstimated: true };
}
