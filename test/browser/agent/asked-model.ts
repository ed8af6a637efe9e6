import {
  ModelError,
  type Model,
  type ModelChunk,
  type ModelRequest,
  type ModelToolCall,
} from "../../../src/model/index.js";

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

export function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
}

export function thoughtOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "reasoning" ? chunk.text : "")).join("");
}

export function callsOf(chunks: readonly ModelChunk[]): ModelToolCall[] {
  return chunks.flatMap((chunk) => (chunk.type === "tool-call" ? [chunk.call] : []));
}
