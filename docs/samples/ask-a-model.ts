import { ModelError, openaiModel } from "vitrine";

export async function ask(baseURL: string, apiKey: string): Promise<string> {
  const model = openaiModel({ baseURL, apiKey, model: "gpt-5.2", sees: true });
  let reply = "";
  try {
    for await (const chunk of model.complete({ messages: [{ role: "user", content: "Add 2 and 3." }] })) {
      if (chunk.type === "text") reply += chunk.text;
      if (chunk.type === "notice") console.warn(chunk.notice.message);
    }
  } catch (error) {
    // What came before the error is in `reply`.
    if (error instanceof ModelError && error.isRetryable) console.warn(`Later: ${error.message}`, error.retryAfter);
    else throw error;
  }
  return reply;
}
