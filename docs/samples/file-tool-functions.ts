import type OpenAI from "openai";

import { fileToolFunctions, type Session } from "vitrine";

export async function code(
  client: OpenAI,
  session: Session,
  messages: OpenAI.ChatCompletionMessageParam[],
  signal: AbortSignal,
): Promise<string> {
  const files = fileToolFunctions(session);
  for (;;) {
    const completion = await client.chat.completions.create({ model: "gpt-5.2", messages, tools: files.definitions });
    const message = completion.choices[0]?.message;
    if (message === undefined) return "";
    messages.push(message);
    const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
    if (calls.length === 0) return message.content ?? "";
    messages.push(...(await files.answer(calls, { signal })));
  }
}
