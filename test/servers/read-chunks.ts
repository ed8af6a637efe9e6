import type { ModelChunk, ModelToolCall } from "../../src/model/index.js";

export function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
}

export function thoughtOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "reasoning" ? chunk.text : "")).join("");
}

export function callsOf(chunks: readonly ModelChunk[]): ModelToolCall[] {
  return chunks.flatMap((chunk) => (chunk.type === "tool-call" ? [chunk.call] : []));
}
