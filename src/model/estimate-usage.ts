import { countTokens } from "./count-tokens.js";
import type { Model, ModelRequest, ModelToolCall, ModelUsage } from "./model.js";

/** What a request and its reply come to, for servers that do not count. What is replayed costs nothing. */
export async function estimateUsage(
  { kind, sees = false }: Model,
  { messages, tools }: ModelRequest,
  { reply, toolCalls = [] }: { readonly reply: string; readonly toolCalls?: readonly ModelToolCall[] },
): Promise<ModelUsage & { readonly isEstimated: boolean }> {
  if (kind === "recorded") return { inputTokens: 0, outputTokens: 0, isEstimated: false };
  const [input, output] = await Promise.all([
    countTokens(messages, { sees, ...(tools === undefined ? {} : { tools }) }),
    countTokens([{ role: "assistant", content: reply, toolCalls }]),
  ]);
  return { inputTokens: input.tokens, outputTokens: output.tokens, isEstimated: true };
}
