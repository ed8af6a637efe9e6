import type OpenAI from "openai";

import { runCodeFunction, type Session } from "vitrine";

export async function answerCalls(
  client: OpenAI,
  session: Session,
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<void> {
  const runCode = runCodeFunction(session);
  const completion = await client.chat.completions.create({ model: "gpt-5.2", messages, tools: [runCode.definition] });
  const message = completion.choices[0]?.message;
  if (message === undefined) return;
  messages.push(message);
  for (const call of message.tool_calls ?? []) {
    if (call.type === "function") messages.push(await runCode.answer(call));
  }
}
