import type { z } from "zod";

import type { Session } from "../session/index.js";
import { MAX_TEXT } from "./render-run.js";
import { RunPython, RunPythonInput, type RunPythonOptions } from "./run-python.js";

/** What the run has come to: the end of what it printed so far, and at last its result. */
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
  const { images: sees = false, maxLength = MAX_TEXT } = options;
  return {
    description: python.description,
    inputSchema: RunPythonInput,
    strict: true,
    execute: (input, { abortSignal }) => execute(python, input, { signal: abortSignal, maxLength }),
    toModelOutput: ({ output }) => modelOutputOf(output, sees),
  };
}

/** @param sees - whether the model does. */
export function modelOutputOf({ text, isError, images }: AiSdkOutput, sees: boolean): AiSdkModelOutput {
  // Content has no mark of an error.
  if (!sees || isError || images.length === 0) return { type: isError ? "error-text" : "text", value: text };
  return {
    type: "content",
    value: [
      { type: "text", text },
      ...images.map(({ mimeType: mediaType, data }) => ({ type: "image-data", data, mediaType }) as const),
    ],
  };
}

async function* execute(
  python: RunPython,
  input: RunPythonInput,
  { signal, maxLength }: { readonly signal: AbortSignal | undefined; readonly maxLength: number },
): AsyncGenerator<AiSdkOutput, void> {
  const printed = new Printed(maxLength);
  let wake = (): void => undefined;
  const unread = new AbortController();
  const running = python.call(input, {
    signal: signal === undefined ? unread.signal : AbortSignal.any([signal, unread.signal]),
    onOutput: (chunk) => {
      if (chunk.kind !== "stdout" && chunk.kind !== "stderr") return;
      printed.add(chunk.text);
      wake();
    },
  });
  try {
    for (;;) {
      const more = new Promise<undefined>((resolve) => {
        wake = () => {
          resolve(undefined);
        };
      });
      if (printed.hasMore) wake();
      const result = await Promise.race([running, more]);
      if (result !== undefined) {
        yield result;
        return;
      }
      yield { text: printed.take(), isError: false, images: [] };
    }
  } finally {
    // Who stops reading wants no more of the run.
    unread.abort();
  }
}

/** What a run has printed so far: the end of it, where it is long. */
class Printed {
  readonly #maxLength: number;
  #text = "";
  #isCut = false;
  #hasMore = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Whether something was printed since it was last taken. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  add(text: string): void {
    this.#hasMore = true;
    this.#text += text;
    if (this.#text.length <= this.#maxLength) return;
    this.#isCut = true;
    // No character is cut in two.
    this.#text = this.#text.slice(-this.#maxLength).replace(/^[\uDC00-\uDFFF]/, "");
  }

  take(): string {
    this.#hasMore = false;
    return this.#isCut ? `… ${this.#text}` : this.#text;
  }
}
