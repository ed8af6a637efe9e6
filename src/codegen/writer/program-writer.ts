import {
  askModel,
  ModelRefusedError,
  waitOut,
  type FinishReason,
  type ModelMessage,
  type ModelUsage,
  type WholeReply,
} from "../../model/index.js";
import { messageOf, type VitrineError } from "../../protocol/index.js";
import type { CallingTask } from "../../tools/index.js";
import type { CodegenOptions } from "../codegen-options.js";
import { CANCELLED, codegenError, type CodegenError } from "../errors.js";
import type { CodegenEventBody } from "../events.js";
import { parseReply, type GeneratedProgram } from "./parse-reply.js";
import { ProgramReader } from "./program-reader.js";

export interface ProgramWriterOptions extends Pick<CodegenOptions, "model" | "prices" | "maxTokens" | "retries"> {
  readonly signal: AbortSignal;
  /** The agent's, whose budget counts what is written. */
  readonly task: CallingTask | undefined;
  /** From 1. */
  readonly attempt: number;
  /** `part`: the place of an event below its attempt. */
  readonly report: (body: CodegenEventBody, part: string) => void;
}

/** What a model came to that was asked for a program. */
export interface WrittenProgram {
  /** The program, or why there is none. */
  readonly generated: GeneratedProgram | { readonly kind: "error"; readonly error: CodegenError };
  /** What it said, as far as it came. */
  readonly reply: string;
  /** Null where no server told. */
  readonly usage: ModelUsage | null;
  /** Milliseconds. */
  readonly elapsed: number;
}

/** Has a model write one program, which is streamed as events while it is written. */
export class ProgramWriter {
  readonly #options: ProgramWriterOptions;
  /** What the model has said to the request that is under way. */
  #reply = "";
  /** The limit of the task that allowed no further request. */
  #reached: VitrineError | null = null;

  constructor(options: ProgramWriterOptions) {
    this.#options = options;
  }

  /** Never rejects: that there is no program is said in its place. */
  async write(messages: readonly ModelMessage[]): Promise<WrittenProgram> {
    const { model, signal, attempt, report } = this.#options;
    const started = performance.now();
    let usage: ModelUsage | null = null;
    let generated: WrittenProgram["generated"];
    report({ type: "generation-started", attempt }, "generation");
    try {
      const { finishReason, usage: counted } = await this.#ask(messages);
      const { isEstimated, ...tokens } = counted;
      if (!isEstimated) usage = tokens;
      if (finishReason === "refusal") throw new ModelRefusedError(model.name, this.#reply);
      generated = readReply(this.#reply, finishReason);
    } catch (error) {
      generated = { kind: "error", error: signal.aborted ? CANCELLED : this.#failure(error) };
    }
    const elapsed = performance.now() - started;
    const [code, error] = generated.kind === "error" ? [null, generated.error] : [generated.code, null];
    report({ type: "generation-ended", attempt, code, error, usage, elapsed }, "generation");
    return { generated, reply: this.#reply, usage, elapsed };
  }

  /** The reply, asked for again where the model failed for a while. */
  async #ask(messages: readonly ModelMessage[]): Promise<WholeReply> {
    const { signal, attempt, report, retries = 2 } = this.#options;
    for (let failures = 1; ; failures++) {
      try {
        return await this.#askOnce(messages);
      } catch (failure) {
        await waitOut(failure, {
          failures,
          retries,
          signal,
          onRetry: ({ delay, error: { code, message } }) => {
            report({ type: "generation-retry", attempt, failures, delay, code, message }, "generation/retry");
          },
        });
      }
    }
  }

  async #askOnce(messages: readonly ModelMessage[]): Promise<WholeReply> {
    const { model, prices, signal, task, attempt, report, maxTokens = 7000 } = this.#options;
    const reader = new ProgramReader();
    let unread = "";
    const show = (): void => {
      const text = reader.read(unread);
      unread = "";
      if (text !== "") report({ type: "program-text", attempt, text }, "generation/text");
    };
    this.#reply = "";
    const whole = await askModel(
      model,
      { messages, temperature: 0, maxTokens },
      {
        signal,
        countCall: () => {
          this.#reached = task?.account.reached ?? null;
          if (this.#reached !== null) throw this.#reached;
          task?.account.countModelCall();
        },
        countTokens: (usage) => {
          task?.account.countTokens(usage, prices);
        },
        onChunk: (chunk) => {
          if (chunk.type === "notice") report({ type: "notice", attempt, notice: chunk.notice }, "generation/notice");
          if (chunk.type !== "text") return;
          this.#reply += chunk.text;
          unread += chunk.text;
          if (unread.length >= SHOWN_AT_ONCE) show();
        },
      },
    );
    show();
    return whole;
  }

  #failure(error: unknown): CodegenError {
    return codegenError({
      where: "codegen",
      error: error === this.#reached ? "budget_reached" : "codegen_model_error",
      description: messageOf(error),
      details: error instanceof Error ? error.name : "",
    });
  }
}

/** Characters of a reply that are read for its program at once. */
const SHOWN_AT_ONCE = 24;

function readReply(reply: string, finishReason: FinishReason): WrittenProgram["generated"] {
  const cut = CUTS[finishReason] ?? "";
  const parsed = parseReply(reply, { isCut: cut !== "" });
  if (parsed.kind === "program") return parsed;
  const { kind, description, entrypoint, receivedFiles, notes } = parsed;
  const details = JSON.stringify({ entrypoint, received_files: receivedFiles, notes });
  return {
    kind: "error",
    error: codegenError({ where: "codegen", error: kind, description: description + cut, details }),
  };
}

/** How a reply can end before its writer does. */
const CUTS: Partial<Record<FinishReason, string>> = {
  length: " The reply was cut off at its length limit.",
  filter: " The reply was cut off by the server's filter.",
};
