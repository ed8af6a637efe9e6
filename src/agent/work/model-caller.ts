import { askModel, ModelError, ModelRefusedError, waitOut, type Model, type ModelRequest } from "../../model/index.js";
import type { BudgetMeter } from "../budget/budget.js";
import type { Conversation, PruningStrategy } from "../conversation/conversation.js";
import type { ModelReply } from "./agent-kind.js";
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
          await waitOut(error, {
            failures,
            retries,
            signal,
            onRetry: ({ delay, error: { code, message } }) => {
              step.add({ type: "model-retry", ...step.part("reply"), attempt: failures, delay, code, message });
            },
          });
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

  async #once(step: StepInProgress, request: ModelRequest): Promise<ModelReply> {
    const { model, meter, signal } = this.#options;
    const { record } = step;
    const ids = step.part("reply");
    const { text, toolCalls, finishReason, usage } = await askModel(model, request, {
      signal,
      countCall: () => {
        this.#countCall();
      },
      countTokens: (counted) => {
        meter.countTokens(counted);
      },
      onChunk: (chunk) => {
        switch (chunk.type) {
          case "text":
            record.reply += chunk.text;
            step.add({ type: "model-text", ...ids, text: chunk.text });
            break;
          case "reasoning":
            record.reasoning += chunk.text;
            step.add({ type: "model-reasoning", ...ids, text: chunk.text });
            break;
          case "tool-call":
            record.toolCalls = [...record.toolCalls, chunk.call];
            break;
          case "notice":
            step.add({ type: "notice", ...step.next("notice"), notice: chunk.notice });
            break;
          case "asked-again":
            break;
        }
      },
    });
    record.usage = usage;
    step.add({ type: "model-ended", ...ids, reply: text, toolCalls, finishReason, usage });
    if (finishReason === "refusal") throw new ModelRefusedError(model.name, text);
    return { text, toolCalls, finishReason };
  }
}
