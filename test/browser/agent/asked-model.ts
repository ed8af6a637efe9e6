import { inject } from "vitest";

import { ModelError, openaiModel, type Model, type ModelChunk, type ModelRequest } from "../../../src/model/index.js";
import { RUN } from "../../timeouts.mjs";

export const KEY = "sk-proj-1234567890abcdef";
export const question: ModelRequest = { messages: [{ role: "user", content: "Add 2 and 3." }], temperature: 0 };

/** All that `model` answers, and the error that ends it. */
export async function complete(
  model: Model,
  asked: ModelRequest = question,
): Promise<{ chunks: ModelChunk[]; error: ModelError | undefined }> {
  const chunks: ModelChunk[] = [];
  try {
    for await (const chunk of model.complete(asked)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof ModelError) return { chunks, error };
    throw error;
  }
  return { chunks, error: undefined };
}

/** The model behind the real server that answers by a scenario. */
export function modelOf(scenario: string, timeout = RUN): Model {
  return openaiModel({ baseURL: `${inject("modelServer")}/${scenario}/v1`, apiKey: KEY, model: "test-model", timeout });
}
