import { z } from "zod";

import { JsonText } from "./checks.js";
import type { Exchange } from "./count-bodies.js";

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

/** Puts a streamed reply together, to count it. What is no chunk of the protocol says nothing. */
export function readReply(stream: string): Omit<Exchange, "body"> {
  let text = "";
  let usage: Exchange["usage"] = null;
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  for (const line of stream.split(/\r?\n/)) {
    if (!line.startsWith("data:")) continue;
    const chunk = JsonText.pipe(Chunk).safeParse(line.slice("data:".length));
    if (!chunk.success) continue;
    const { choices, usage: counted } = chunk.data;
    if (counted) usage = { inputTokens: counted.prompt_tokens, outputTokens: counted.completion_tokens };
    const delta = choices[0]?.delta;
    text += delta?.content ?? "";
    for (const piece of delta?.tool_calls ?? []) {
      const place = piece.index ?? (piece.id ? calls.size : Math.max(0, calls.size - 1));
      const call = calls.get(place) ?? { id: "", name: "", arguments: "" };
      call.id ||= piece.id ?? "";
      call.name += piece.function?.name ?? "";
      call.arguments += piece.function?.arguments ?? "";
      calls.set(place, call);
    }
  }
  return { reply: { text, toolCalls: [...calls.values()] }, usage };
}
