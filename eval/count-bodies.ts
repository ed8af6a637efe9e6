import { z } from "zod";

import { countTokens, type ModelMessage, type ModelTool, type ModelToolCall } from "../src/model/index.js";

/** A reply, put together from what was streamed. */
export interface ExchangedReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
}

/** A request as it was sent, and what came back. */
export interface Exchange {
  /** The body, word for word. */
  readonly body: unknown;
  readonly reply: ExchangedReply;
  /** What the server says that it counted; null where it says nothing. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
}

const Call = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const Message = z
  .object({
    role: z.enum(["system", "user", "assistant", "tool"]),
    content: z
      .union([
        z.string(),
        z.array(z.union([z.object({ text: z.string() }), z.unknown().transform(() => ({ text: "" }))])),
      ])
      .nullable()
      .default(null),
    tool_calls: z.array(Call).default([]),
    tool_call_id: z.string().default(""),
  })
  .transform(({ role, content, tool_calls: calls, tool_call_id: toolCallId }): ModelMessage => {
    const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("\n\n");
    if (role === "tool") return { role, content: text, toolCallId };
    if (role !== "assistant") return { role, content: text };
    const toolCalls = calls.map(({ id, function: { name, arguments: given } }) => ({ id, name, arguments: given }));
    return { role, content: text, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
  });

const Body = z.object({
  messages: z.array(Message),
  tools: z.array(z.object({ function: z.custom<ModelTool>() })).default([]),
  response_format: z.object({ json_schema: z.json().optional() }).optional(),
});

/** Tokens of a request's body, by o200k_base: messages, tools and the schema of the reply, for every agent in the same way. */
export async function bodyTokens(body: unknown): Promise<number> {
  const { messages, tools, response_format: { json_schema: schema } = {} } = Body.parse(body);
  const { tokens } = await countTokens(messages, { tools: tools.map((tool) => tool.function) });
  return tokens + (schema === undefined ? 0 : await textTokens(JSON.stringify(schema)));
}

/** Of text that is no message. */
async function textTokens(text: string): Promise<number> {
  const [message, nothing] = await Promise.all([text, ""].map((content) => countTokens([{ role: "user", content }])));
  return (message?.tokens ?? NaN) - (nothing?.tokens ?? NaN);
}

export async function replyTokens({ text, toolCalls }: ExchangedReply): Promise<number> {
  return (await countTokens([{ role: "assistant", content: text, toolCalls }])).tokens;
}
