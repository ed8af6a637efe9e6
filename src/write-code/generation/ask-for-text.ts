import {
  askModel,
  ModelError,
  type FinishReason,
  type Model,
  type ModelMessage,
  type ModelNotice,
} from "../../model/index.js";
import { messageOf, shorten, type VitrineError } from "../../protocol/index.js";
import type { TokenCounts, TokenPrices } from "../../tools/index.js";
import type { ModelAttempt } from "../outcome/telemetry.js";
import type { GenerationWork } from "./generation-work.js";
import { judgeReply } from "./judge-text.js";
import { ReplyLimit, ReplyTimeout } from "./reply-limit.js";
import { TextPieces } from "./text-pieces.js";

/** One request for the text of a file. */
export interface TextRequest {
  readonly path: string;
  /** Its number among all requests for the file, from 0. */
  readonly candidate: number;
  readonly model: Model;
  readonly role: ModelAttempt["role"];
  /** From 1. */
  readonly attempt: number;
  readonly messages: readonly ModelMessage[];
}

/** What came of a request. */
export type AskedText =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly language: string;
      readonly reply: string;
      readonly warnings: readonly string[];
      readonly attempt: ModelAttempt;
    }
  | FailedRequest;

export interface FailedRequest {
  readonly kind: "failed";
  readonly failure: Failure;
  readonly attempt: ModelAttempt;
}

/** Why there is no text. */
export interface Failure {
  /** The code of a `ModelError`, or `REPLY_TIMEOUT`, `EMPTY_REPLY`, `NO_CODE`, `PLACEHOLDER` and so on. */
  readonly code: string;
  readonly message: string;
  /** Whether the same request may go well a little later. */
  readonly mayPass: boolean;
  /** Milliseconds that the server asks to wait; null where it does not say. */
  readonly retryAfter: number | null;
}

/** Characters of a failure's message. */
const LONGEST_MESSAGE = 600;
/** Characters of a reply. More is no file of any project, and work for the page. */
const LONGEST_REPLY = 1_000_000;
/** No text that a model writes has more characters to a token. */
const LETTERS_OF_TOKEN = 8;
const REPLY_TIMEOUT = 120_000;
export const MAX_TOKENS = 16_000;

/** Asks a model once for the text of a file, and looks at its reply. Never rejects. */
export async function askForText(request: TextRequest, work: GenerationWork): Promise<AskedText> {
  const { path, candidate, model, role, attempt, messages } = request;
  const { report } = work;
  // Time in which it waits for its permit is none of the model's.
  const course = { isStarted: false, started: performance.now() };
  let usage: TokenCounts = { inputTokens: 0, outputTokens: 0, isEstimated: false };
  const attempted = (failure: Failure | null): ModelAttempt => ({
    model: model.name,
    role,
    attempt,
    failure: failure === null ? null : { code: failure.code, message: failure.message },
    elapsed: performance.now() - course.started,
    ...usage,
  });
  const pieces = new TextPieces((text) => {
    report({ type: "candidate-text", path, candidate, text });
  });
  try {
    const whole = await askWithin(model, messages, {
      work,
      maxTokens: work.options.maxTokens ?? MAX_TOKENS,
      onStart: () => {
        course.isStarted = true;
        course.started = performance.now();
        report({ type: "candidate-started", path, candidate, model: model.name, role });
      },
      onText: (text) => {
        pieces.add(text);
      },
      onNotice: (notice) => {
        report({ type: "candidate-notice", path, candidate, notice });
      },
      onUsage: (counted) => {
        usage = {
          inputTokens: counted.inputTokens,
          outputTokens: counted.outputTokens,
          isEstimated: counted.isEstimated,
        };
      },
    });
    pieces.flush();
    const judged = await judgeReply({ ...whole, model: model.name }, path);
    if (judged.kind === "fault") throw new ReplyFailure(judged.code, judged.message);
    const { text, language, isUnclosed } = judged;
    const done = attempted(null);
    report({ type: "candidate-ended", path, candidate, end: { kind: "text", text, language }, elapsed: done.elapsed });
    const warnings = isUnclosed
      ? [`The block of code in the reply of "${model.name}" was not closed; it was taken as far as it goes.`]
      : [];
    return { kind: "text", text, language, reply: whole.text, warnings, attempt: done };
  } catch (error) {
    pieces.flush();
    const failure = failureOf(error, model.name, work);
    const failed = attempted(failure);
    if (course.isStarted) {
      const { code, message } = failure;
      const { elapsed } = failed;
      report({ type: "candidate-ended", path, candidate, end: { kind: "failed", code, message }, elapsed });
    }
    return { kind: "failed", failure, attempt: failed };
  }
}

export interface AskWithinOptions {
  readonly work: GenerationWork;
  readonly maxTokens: number;
  readonly temperature?: number;
  /** Called once the request may be made. */
  readonly onStart?: () => void;
  readonly onText?: (text: string) => void;
  readonly onNotice?: (notice: ModelNotice) => void;
  readonly onUsage?: (usage: TokenCounts) => void;
}

/**
 * Asks a model once, within the limits of the work: its permits, its time, its length, and the budget of the task that calls.
 *
 * @throws {ModelError} @throws {ReplyTimeout} @throws {BudgetReached} @throws {ReplyFailure} for a reply without end.
 * @throws the reason of the work's signal.
 */
export async function askWithin(
  model: Model,
  messages: readonly ModelMessage[],
  { work, maxTokens, temperature, onStart, onText, onNotice, onUsage }: AskWithinOptions,
): Promise<{ readonly text: string; readonly finishReason: FinishReason }> {
  const { options, signal, task, permit } = work;
  const release = await permit(signal);
  const limit = new ReplyLimit(model.name, options.replyTimeout ?? REPLY_TIMEOUT, signal);
  try {
    const longest = Math.max(LONGEST_REPLY, maxTokens * LETTERS_OF_TOKEN);
    let length = 0;
    onStart?.();
    return await askModel(
      model,
      { messages, maxTokens, ...(temperature === undefined ? {} : { temperature }) },
      {
        signal: limit.signal,
        countCall: () => {
          const reached = task?.account.reached ?? null;
          if (reached !== null) throw new BudgetReached(reached);
          task?.account.countModelCall();
        },
        countTokens: (usage) => {
          onUsage?.(usage);
          task?.account.countTokens(usage, pricesOf(model.name, options.prices));
        },
        onChunk: (chunk) => {
          if (chunk.type === "notice") onNotice?.(chunk.notice);
          if (chunk.type !== "text" && chunk.type !== "reasoning") return;
          length += chunk.text.length;
          if (length > longest) {
            throw new ReplyFailure(
              "REPLY_TOO_LONG",
              `The reply of "${model.name}" is longer than ${String(longest)} characters.`,
            );
          }
          if (chunk.type === "text") onText?.(chunk.text);
        },
      },
    );
  } finally {
    limit.stop();
    release();
  }
}

/** The task that calls may use no more of models. */
export class BudgetReached extends Error {
  constructor(reached: VitrineError) {
    super(reached.message, { cause: reached });
  }
}

/** The model replied, and what it said is no file. */
export class ReplyFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What is said of an error of a request. */
export function failureOf(
  error: unknown,
  model: string,
  { signal, strike }: Pick<GenerationWork, "signal" | "strike">,
): Failure {
  const failure = (code: string, words: string, mayPass = false, retryAfter: number | null = null): Failure => ({
    code,
    // Before it is cut: of a key that is cut in two no half is found.
    message: shorten(strike(words), LONGEST_MESSAGE),
    mayPass,
    retryAfter,
  });
  if (signal.aborted) return failure("CANCELLED", "The call was stopped before the model had replied.");
  if (error instanceof BudgetReached) return failure("BUDGET_REACHED", error.message);
  if (error instanceof ReplyTimeout) return failure("REPLY_TIMEOUT", error.message, true);
  // Asked once more, a model may say something else; what it declines it declines again.
  if (error instanceof ReplyFailure) return failure(error.code, error.message, error.code !== "MODEL_REFUSED");
  if (error instanceof ModelError) return failure(error.code, error.message, error.isRetryable, error.retryAfter);
  return failure("MODEL_FAILED", `"${model}" failed: ${messageOf(error)}`);
}

function pricesOf(model: string, prices: Readonly<Record<string, TokenPrices>> | undefined): TokenPrices | undefined {
  return prices !== undefined && Object.hasOwn(prices, model) ? prices[model] : undefined;
}
