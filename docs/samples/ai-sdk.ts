import { stepCountIs, streamText, type LanguageModel } from "ai";

import { aiSdkTool, type Session } from "vitrine";

export async function answer(session: Session, model: LanguageModel, prompt: string): Promise<string> {
  const { text } = streamText({
    model,
    prompt,
    tools: { run_python: aiSdkTool(session) },
    stopWhen: stepCountIs(10),
  });
  return text;
}
