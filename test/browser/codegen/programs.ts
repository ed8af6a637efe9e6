import { inject } from "vitest";

import { Codegen, type CodegenEvent, type CodegenOptions, type CodegenResult } from "../../../src/codegen/index.js";
import { openaiModel, type FinishReason, type Model, type ModelRequest } from "../../../src/model/index.js";
import type { Value } from "../../../src/protocol/index.js";
import { dictatedScenario } from "../../servers/dictated-replies.js";

/** A reply in the form that models are asked for. */
export const files = (content: string, notes = ""): string =>
  JSON.stringify({ files: [{ path: "main.py", content }], entrypoint: "python main.py", outputs: [], notes });

/** A model behind the real server that says these things, whatever it is told. */
export function overHttp(...replies: string[]): Model {
  const baseURL = `${inject("modelServer")}/${dictatedScenario(replies)}/v1`;
  return openaiModel({ baseURL, apiKey: "sk-test-0123456789", model: "dictated" });
}

export interface DictatedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** A reply that ends at the limit of its length. */
export const cutOff = (text: string) => ({ text, finishReason: "length" }) as const;

/** Says these things in turn; where the model itself is not the point. */
export function dictated(
  ...replies: (string | { readonly text: string; readonly finishReason: FinishReason })[]
): DictatedModel {
  const requests: ModelRequest[] = [];
  return {
    name: "dictated",
    kind: "recorded",
    requests,
    // oxlint-disable-next-line typescript/require-await -- a reply that is there at once
    complete: async function* (request) {
      // The messages go on growing.
      requests.push({ ...request, messages: [...request.messages] });
      const reply = replies[requests.length - 1];
      if (reply === undefined) throw new Error("The model has nothing more to say.");
      const { text, finishReason } = typeof reply === "string" ? { text: reply, finishReason: "stop" as const } : reply;
      yield { type: "text", text };
      yield { type: "done", finishReason, usage: { inputTokens: 10, outputTokens: 5 } };
    },
  };
}

export const SUMMARY = { summary: { type: "inline", format: "markdown", description: "What was found." } };

export interface Generation {
  readonly result: CodegenResult;
  readonly events: readonly CodegenEvent[];
}

/** Runs one program, without a repair unless the options say otherwise. */
export async function generate(
  program: string | { readonly reply: string } | Model,
  options: Omit<CodegenOptions, "model"> & {
    readonly contract?: Value;
    readonly signal?: AbortSignal;
    readonly onEvent?: (event: CodegenEvent) => void;
    readonly sources?: Value;
    readonly skills?: Value;
    readonly progName?: string;
  },
): Promise<Generation> {
  const model =
    typeof program === "string" ? dictated(files(program)) : "reply" in program ? dictated(program.reply) : program;
  const { contract = SUMMARY, signal, onEvent, sources, skills, progName, ...rest } = options;
  const run = new Codegen({ repairs: 0, ...rest, model }).run(
    { outputContract: contract, instruction: "Do it.", sourcesList: sources, skills, progName },
    { ...(signal === undefined ? {} : { signal }), ...(onEvent === undefined ? {} : { onEvent }) },
  );
  return { result: await run.result, events: run.events };
}
