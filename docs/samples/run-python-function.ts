import type OpenAI from "openai";

import { runPythonFunction, type Session } from "vitrine";

export async function turn(
  client: OpenAI,
  session: Session,
  messages: OpenAI.ChatCompletionMessageParam[],
  signal: AbortSignal,
): Promise<void> {
  const python = runPythonFunction(session, { images: true });
  const stream = client.chat.completions.stream({ model: "gpt-5.2", messages, tools: [python.definition] });
  const message = (await stream.finalChatCompletion()).choices[0]?.message;
  if (message === undefined) return;
  messages.push(message, ...(await python.answer(message.tool_calls ?? [], { signal, onOutput: console.log })));
}
