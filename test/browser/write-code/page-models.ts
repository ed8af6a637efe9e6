import type { Model, ModelRequest } from "../../../src/index.js";

/** What a model of a test says to a request; a promise that comes late, or an error, is a manner of its own. */
export type Reply = (request: AskedFor, signal: AbortSignal | undefined) => string | Promise<string>;

/** What a writer, or an arbiter, was asked. */
export interface AskedFor {
  readonly request: ModelRequest;
  /** All that it reads. */
  readonly prompt: string;
  /** From 1: how often this model was asked. */
  readonly call: number;
}

export interface PageModel extends Model {
  /** The prompts, in their order. */
  readonly prompts: readonly string[];
}

/** A model on the page: the loop of the tool is what is tried, and over HTTP its requests are tried elsewhere. */
export function pageModel(name: string, reply: Reply): PageModel {
  const prompts: string[] = [];
  return {
    name,
    kind: "test",
    prompts,
    async *complete(request, { signal } = {}) {
      const prompt = request.messages.map(({ content }) => (typeof content === "string" ? content : "")).join("\n\n");
      prompts.push(prompt);
      const text = await reply({ request, prompt, call: prompts.length }, signal);
      yield { type: "text", text };
      yield { type: "done", finishReason: "stop", usage: { inputTokens: 100, outputTokens: 10 } };
    },
  };
}

/** The same text in a fence, whatever is asked. */
export function writes(name: string, code: string, tag = "python"): PageModel {
  return pageModel(name, () => fenced(code, tag));
}

export function fenced(code: string, tag = "python"): string {
  return `\`\`\`${tag}\n${code}\n\`\`\``;
}
