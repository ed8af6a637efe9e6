import { generateText, stepCountIs, type LanguageModel } from "ai";

import { aiSdkFileTools, type Session } from "vitrine";

export async function mend(session: Session, model: LanguageModel, prompt: string): Promise<string> {
  const { text } = await generateText({ model, prompt, tools: aiSdkFileTools(session), stopWhen: stepCountIs(50) });
  return text;
}
