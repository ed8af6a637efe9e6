import { unlessAborted } from "../protocol/index.js";
import { estimateUsage } from "./estimate-usage.js";
import { ModelError } from "./errors.js";
import type { FinishReason, Model, ModelChunk, ModelRequest, ModelToolCall, ModelUsage } from "./model.js";

/** What a request and its reply came to; an estimate where the server does not count. */
export type CountedUsage = ModelUsage & { readonly isEstimated: boolean };

/** Who counts and tells while a model is asked. */
export interface AskOptions {
  readonly signal: AbortSignal;
  /** Asked before the request, and before each that the model makes by itself. What it throws ends the asking. */
  readonly countCall: () => void;
  /** Told once, of a reply that was lost as well; not told of a request that was refused, which has no price. */
  readonly countTokens: (usage: CountedUsage) => void;
  /** What comes, as it comes. What belongs to the reply is in the reply as well. */
  readonly onChunk: (chunk: Exclude<ModelChunk, { type: "done" }>) => void;
}

/** All that a model said to one request. */
export interface WholeReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: CountedUsage;
}

/** How far a reply has come. */
interface Course {
  hasBegun: boolean;
  end: Extract<ModelChunk, { type: "done" }> | undefined;
  isCounted: boolean;
}

/**
 * Sends one request and reads its reply to the end.
 *
 * @throws the signal's reason, also where the model overlooks it.
 * @throws {ModelError} when the model has no reply.
 */
export async function askModel(model: Model, request: ModelRequest, options: AskOptions): Promise<WholeReply> {
  const { signal, countCall, countTokens, onChunk } = options;
  const toolCalls: ModelToolCall[] = [];
  const said = { reply: "", reasoning: "", toolCalls };
  const course: Course = { hasBegun: false, end: undefined, isCounted: false };
  const hear = (chunk: ModelChunk): boolean => {
    course.hasBegun ||= chunk.type !== "notice" && chunk.type !== "asked-again";
    if (chunk.type === "done") {
      course.end = chunk;
      return true;
    }
    if (chunk.type === "text") said.reply += chunk.text;
    else if (chunk.type === "reasoning") said.reasoning += chunk.text;
    else if (chunk.type === "tool-call") toolCalls.push(chunk.call);
    else if (chunk.type === "asked-again") countCall();
    onChunk(chunk);
    return false;
  };
  countCall();
  try {
    await hearUntil(hear, model.complete(request, { signal }), signal);
    const { end } = course;
    if (end === undefined) {
      signal.throwIfAborted();
      throw new TypeError(`The model "${model.name}" ended its reply without saying so.`);
    }
    const { finishReason, usage: reported } = end;
    const usage =
      reported === null ? await estimateUsage(model, request, said, signal) : { ...reported, isEstimated: false };
    course.isCounted = true;
    countTokens(usage);
    return { text: said.reply, toolCalls, finishReason, usage };
  } finally {
    if (course.hasBegun && !course.isCounted) countTokens(await estimateUsage(model, request, said, signal));
  }
}

/** A request that failed is made again. */
export interface ModelRetry {
  /** Failures in a row so far, from 1. */
  readonly failures: number;
  /** Milliseconds until the next request. */
  readonly delay: number;
  readonly error: ModelError;
}

export interface RetryOptions {
  readonly failures: number;
  /** How often a model that failed is asked again. */
  readonly retries: number;
  readonly signal: AbortSignal;
  /** Told before the wait. */
  readonly onRetry: (retry: ModelRetry) => void;
}

/** Milliseconds before the first retry; doubled for each that follows. */
const FIRST_DELAY = 500;
/** Milliseconds. A server that asks for a longer wait has no reply for this task. */
const LONGEST_DELAY = 60_000;

/**
 * Waits until the model can be asked again.
 *
 * @throws `failure` itself where that would not help; the signal's reason when it is aborted meanwhile.
 */
export async function waitOut(failure: unknown, options: RetryOptions): Promise<void> {
  const { failures, retries, signal, onRetry } = options;
  if (!(failure instanceof ModelError)) throw failure;
  // Spread, so that agents that failed together do not come back together.
  const delay = failure.retryAfter ?? FIRST_DELAY * 2 ** (failures - 1) * (0.75 + Math.random() / 2);
  if (!failure.isRetryable || failures > retries || delay > LONGEST_DELAY) throw failure;
  onRetry({ failures, delay, error: failure });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, delay))), signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Hears the chunks until `hear` says that it has enough, also those of a model that overlooks the signal.
 *
 * @throws the signal's reason. @throws what `hear` throws.
 */
async function hearUntil<T>(hear: (chunk: T) => boolean, chunks: AsyncIterable<T>, signal: AbortSignal): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const all = new Promise<void>((resolve, reject) => {
    const read = (next: IteratorResult<T>): void => {
      if (signal.aborted) return;
      if (next.done === true || hear(next.value)) resolve();
      else readOn();
    };
    // A stream has thousands of chunks: an iterator of its own and a listener for each would cost as much again.
    const readOn = (): void => void iterator.next().then(read).catch(reject);
    readOn();
  });
  try {
    await unlessAborted(all, signal);
  } finally {
    // A model that is waited for no longer ends when it likes.
    await unlessAborted(Promise.resolve(iterator.return?.()), signal).catch(() => undefined);
  }
}
