import {
  estimateUsage,
  ModelError,
  ModelRefusedError,
  type Model,
  type ModelRequest,
  type ModelToolCall,
} from "../model/index.js";
import { unlessAborted } from "../protocol/index.js";
import type { ModelReply } from "./agent-kind.js";
import type { BudgetMeter, TokenUsage } from "./budget.js";
import type { Conversation, PruningStrategy } from "./conversation.js";
import type { StepInProgress } from "./step.js";

export interface ModelCallerOptions {
  readonly model: Model;
  /** How often a model that failed is asked again. */
  readonly retries: number;
  readonly meter: BudgetMeter;
  /** Shortens a conversation that is too long for the model. */
  readonly pruning: PruningStrategy;
  readonly signal: AbortSignal;
}

/** Milliseconds before the first retry; doubled for each that follows. */
const FIRST_DELAY = 500;
/** Milliseconds. A server that asks for a longer wait has no reply for this task. */
const LONGEST_DELAY = 60_000;

/** Asks the model, with what goes on meanwhile as events of the step. */
export class ModelCaller {
  readonly #options: ModelCallerOptions;

  constructor(options: ModelCallerOptions) {
    this.#options = options;
  }

  /**
   * The model's reply. A failure that may pass is waited out and asked about again; a conversation that is too long is
   * made shorter, as often as that helps.
   *
   * @throws {ModelRefusedError} when the model declined; what it said stays in the step.
   * @throws {ModelError} when the model has no reply.
   * @throws {BudgetReachedError} when one more request would be too many.
   */
  async ask(
    step: StepInProgress,
    conversation: Conversation,
    request: Omit<ModelRequest, "messages">,
  ): Promise<ModelReply> {
    const { retries, pruning, signal } = this.#options;
    let failures = 0;
    for (;;) {
      this.#countCall();
      try {
        return await this.#once(step, {
          ...request,
          messages: conversation.messages({ withTools: this.#offersTools(request) }),
        });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelError)) throw error;
        if (error.code === "MODEL_CONTEXT_TOO_LONG" && conversation.shorten(pruning)) {
          const stepsKept = conversation.items.filter(({ kind }) => kind === "step").length;
          step.add({ type: "pruned", ...step.next("pruned"), stepsKept });
        } else {
          failures += 1;
          await this.#waitOut(error, { step, failures, retries });
        }
        // What the failed reply began with is not part of the next one.
        step.record.reply = "";
        step.record.reasoning = "";
        step.record.toolCalls = [];
      }
    }
  }

  /** @throws {BudgetReachedError} when one more request would be too many. */
  #countCall(): void {
    const { meter } = this.#options;
    const { reached } = meter;
    if (reached !== null) throw reached;
    meter.countModelCall();
  }

  /** A recording knows its calls as they were made. */
  #offersTools({ tools = [] }: Omit<ModelRequest, "messages">): boolean {
    return tools.length > 0 || this.#options.model.kind === "recorded";
  }

  async #waitOut(
    error: ModelError,
    { step, failures, retries }: { step: StepInProgress; failures: number; retries: number },
  ): Promise<void> {
    // Spread, so that agents that failed together do not come back together.
    const delay = error.retryAfter ?? FIRST_DELAY * 2 ** (failures - 1) * (0.75 + Math.random() / 2);
    if (!error.isRetryable || failures > retries || delay > LONGEST_DELAY) throw error;
    const { code, message } = error;
    step.add({ type: "model-retry", ...step.part("reply"), attempt: failures, delay, code, message });
    await pause(delay, this.#options.signal);
  }

  async #once(step: StepInProgress, request: ModelRequest): Promise<ModelReply> {
    const { model, meter, signal } = this.#options;
    const { record } = step;
    const place = step.part("reply");
    const toolCalls: ModelToolCall[] = [];
    let hasBegun = false;
    let finished = false;
    try {
      for await (const chunk of untilAborted(model.complete(request, { signal }), signal)) {
        hasBegun ||= chunk.type !== "notice" && chunk.type !== "asked-again";
        switch (chunk.type) {
          case "text":
            record.reply += chunk.text;
            step.add({ type: "model-text", ...place, text: chunk.text });
            break;
          case "reasoning":
            record.reasoning += chunk.text;
            step.add({ type: "model-reasoning", ...place, text: chunk.text });
            break;
          case "tool-call":
            toolCalls.push(chunk.call);
            record.toolCalls = [...toolCalls];
            break;
          case "notice":
            step.add({ type: "notice", ...step.next("notice"), notice: chunk.notice });
            break;
          case "asked-again":
            this.#countCall();
            break;
          case "done": {
            finished = true;
            const { finishReason } = chunk;
            const usage: TokenUsage =
              chunk.usage === null
                ? await estimateUsage(model, request, record, signal)
                : { ...chunk.usage, isEstimated: false };
            meter.countTokens(usage);
            record.usage = usage;
            step.add({ type: "model-ended", ...place, reply: record.reply, toolCalls, finishReason, usage });
            if (finishReason === "refusal") throw new ModelRefusedError(model.name, record.reply);
            return { text: record.reply, toolCalls, finishReason };
          }
        }
      }
    } finally {
      // What was answered has its price though the reply was lost; what was refused has none.
      if (hasBegun && !finished) meter.countTokens(await estimateUsage(model, request, record, signal));
    }
    signal.throwIfAborted();
    throw new TypeError(`The model "${model.name}" ended its reply without saying so.`);
  }
}

/**
 * The chunks until the signal is aborted, also those of a model that overlooks it.
 *
 * @throws the signal's reason.
 */
async function* untilAborted<T>(chunks: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // A model that is waited for no longer ends when it likes.
    const ending = Promise.resolve(iterator.return?.());
    await unlessAborted(ending, signal).catch(() => undefined);
  }
}

/** @throws the signal's reason when it is aborted meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
  signal.throwIfAborted();
}
