import type { z } from "zod";

import type { Session } from "../session/index.js";
import { RunPython, RunPythonInput, type RunPythonOptions } from "./run-python.js";

/** What the run has come to: what it printed so far, and at the end its result. */
export interface AiSdkOutput {
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly { readonly mimeType: string; /** In base64. */ readonly data: string }[];
}

/** What the AI SDK makes of an output for the model. */
export type AiSdkModelOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | {
      readonly type: "content";
      readonly value: (
        | { readonly type: "text"; readonly text: string }
        | { readonly type: "image-data"; readonly data: string; readonly mediaType: string }
      )[];
    };

/** A tool as the Vercel AI SDK takes it, version 6: `tools: { run_python: aiSdkTool(session) }`. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: z.ZodType<RunPythonInput>;
  /** Of models that can: the arguments are as the schema says. */
  readonly strict: true;
  /** Gives what is printed as it comes, as preliminary results; the last one is the result. */
  execute(
    input: RunPythonInput,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ): AsyncGenerator<AiSdkOutput, void>;
  toModelOutput(options: { readonly output: AiSdkOutput }): AiSdkModelOutput;
}

/**
 * `run_python` for `generateText`, `streamText` and agents of the Vercel AI SDK. What its code does is judged as an agent's
 * code is, with `client` as caller. The tools in its description are those that there are when it is made.
 */
export function aiSdkTool(session: Session, options: RunPythonOptions = {}): AiSdkTool {
  const python = new RunPython(session, options);
  return {
    description: python.description,
    inputSchema: RunPythonInput,
    strict: true,
    execute: (input, { abortSignal }) => execute(python, input, abortSignal),
    toModelOutput: ({ output: { text, isError, images } }) => {
      if (images.length === 0) return { type: isError ? "error-text" : "text", value: text };
      return {
        type: "content",
        value: [
          { type: "text", text },
          ...images.map(({ mimeType: mediaType, data }) => ({ type: "image-data", data, mediaType }) as const),
        ],
      };
    },
  };
}

async function* execute(
  python: RunPython,
  input: RunPythonInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<AiSdkOutput, void> {
  let printed = "";
  let told = "";
  let wake = (): void => undefined;
  const running = python.call(input, {
    signal,
    onOutput: (chunk) => {
      if (chunk.kind !== "stdout" && chunk.kind !== "stderr") return;
      printed += chunk.text;
      wake();
    },
  });
  for (;;) {
    const more = new Promise<undefined>((resolve) => {
      wake = () => {
        resolve(undefined);
      };
    });
    if (printed !== told) wake();
    const result = await Promise.race([running, more]);
    if (result !== undefined) {
      yield result;
      return;
    }
    told = printed;
    yield { text: printed, isError: false, images: [] };
  }
}
