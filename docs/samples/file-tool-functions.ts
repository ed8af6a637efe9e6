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
    if (message.tool_calls === undefined) return message.content ?? "";
    messages.push(...(await files.answer(message.tool_calls, { signal })));
  }
}
