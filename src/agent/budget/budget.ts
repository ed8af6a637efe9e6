import type { OptionKinds } from "../../options/index.js";
import { Allowance } from "../../protocol/index.js";
import type { CallingTask, TokenCounts, TokenPrices } from "../../tools/index.js";
import { AgentOptionsError, BudgetReachedError, type BudgetKind } from "../errors.js";

/** What a task may use. A bound that is left out is none. */
export interface TaskBudget {
  /** Requests to the model, those that failed included. */
  readonly modelCalls?: number;
  /** Tokens read and written, as the server counts them; where it does not, as they are estimated here. */
  readonly tokens?: number;
  /** Calls of tools. One more is refused, and the task ends. */
  readonly toolCalls?: number;
  /** Milliseconds, without those in which a person was asked something. */
  readonly time?: number;
  /** In the currency of `prices`, without which it cannot be counted. */
  readonly money?: number;
}

/** What a model costs: money for a million tokens. */
export type ModelPrices = TokenPrices;

export const MODEL_PRICES: OptionKinds<ModelPrices> = { input: "number", output: "number" };

export const TASK_BUDGET: OptionKinds<TaskBudget> = {
  modelCalls: "number?",
  tokens: "number?",
  toolCalls: "number?",
  time: "number?",
  money: "number?",
};

/** Tokens of one request and its reply. */
export type TokenUsage = TokenCounts;

/** What a task has used so far. */
export interface TaskUsage extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Milliseconds, without those in which a person was asked something. */
  readonly time: number;
  /** Null without prices. */
  readonly money: number | null;
}

const KINDS = ["modelCalls", "tokens", "toolCalls", "time", "money"] as const satisfies readonly BudgetKind[];

/**
 * Counts what a task uses, and says when that is enough. What a task uses that is solved in the course of another one is
 * counted there too, up to the first one, and a limit that is reached anywhere above is reached here.
 */
export class BudgetMeter {
  readonly #limits: TaskBudget;
  readonly #prices: ModelPrices | undefined;
  readonly #above: BudgetMeter | null;
  readonly #spent: Record<BudgetKind, Allowance> & { readonly time: TaskTime };
  /** A call whose arguments a middleware changes is judged anew. */
  readonly #admitted = new Set<string>();
  #refusedCalls = 0;
  #inputTokens = 0;
  #isEstimated = false;

  /**
   * @param prices - default: those of `above`.
   * @throws {AgentOptionsError} for an invalid bound.
   */
  constructor(limits: TaskBudget = {}, ownPrices?: ModelPrices, above: BudgetMeter | null = null) {
    const prices = ownPrices ?? above?.prices;
    for (const kind of KINDS) {
      const limit = limits[kind];
      if (limit !== undefined && !(limit >= 0)) throw new AgentOptionsError("budget", `has no number for ${kind}`);
    }
    if (limits.money !== undefined && prices === undefined) {
      throw new AgentOptionsError("budget", "limits money, which nothing counts without `prices`");
    }
    this.#limits = limits;
    this.#prices = prices;
    this.#above = above;
    this.#spent = {
      modelCalls: new Allowance(limits.modelCalls),
      tokens: new Allowance(limits.tokens),
      toolCalls: new Allowance(limits.toolCalls),
      time: new TaskTime(limits.time),
      money: new Allowance(limits.money),
    };
  }

  /** Counts what the task uses in whose course something is called; null where there is none. */
  static of(task: CallingTask | undefined): BudgetMeter | null {
    return task?.account instanceof BudgetMeter ? task.account : null;
  }

  get prices(): ModelPrices | undefined {
    return this.#prices;
  }

  get usage(): TaskUsage {
    const { modelCalls, tokens, toolCalls, time, money } = this.#spent;
    return {
      modelCalls: modelCalls.used,
      toolCalls: toolCalls.used,
      inputTokens: this.#inputTokens,
      outputTokens: tokens.used - this.#inputTokens,
      isEstimated: this.#isEstimated,
      time: time.used,
      // Unknown without prices, whatever agents below may know of their own models.
      money: this.#prices === undefined ? null : money.used,
    };
  }

  /** Something that the next model call, or what goes on, would be too much for; null while there is room. */
  get reached(): BudgetReachedError | null {
    return this.#reachedHere ?? this.#above?.reached ?? null;
  }

  get #reachedHere(): BudgetReachedError | null {
    if (this.#refusedCalls > 0) return this.#error("toolCalls", this.#spent.toolCalls.used + this.#refusedCalls);
    // The last call of a tool that is allowed may be looked at; one more is refused.
    const kind = KINDS.find((each) => each !== "toolCalls" && this.#spent[each].left === 0);
    return kind === undefined ? null : this.#error(kind);
  }

  /** Counts on from what was used before. */
  resume({ modelCalls, toolCalls, inputTokens, outputTokens, isEstimated, time, money }: TaskUsage): void {
    this.#spent.modelCalls.count(modelCalls);
    this.#spent.toolCalls.count(toolCalls);
    this.countTokens({ inputTokens, outputTokens, isEstimated });
    // Agents below may have had prices of their own; of a call in a step that was interrupted only the tokens are known.
    const { money: spent } = this.#spent;
    this.#spent.money = new Allowance(spent.limit, Math.max(spent.used, money ?? 0));
    this.#spent.time.count(time);
  }

  countModelCall(): void {
    this.#spent.modelCalls.count();
    this.#above?.countModelCall();
  }

  /** @param prices - of the model that was asked. Default: those of the task. */
  countTokens(tokens: TokenUsage, prices = this.#prices): void {
    const { inputTokens, outputTokens, isEstimated } = tokens;
    this.#inputTokens += inputTokens;
    this.#spent.tokens.count(inputTokens + outputTokens);
    this.#isEstimated ||= isEstimated;
    const millionths = prices === undefined ? 0 : inputTokens * prices.input + outputTokens * prices.output;
    this.#spent.money.count(millionths / 1_000_000);
    this.#above?.countTokens(tokens, prices);
  }

  /** Counts a tool call that is about to be made, each id once. False: it would be one too many. */
  admitToolCall(id: string): boolean {
    const full = this.#fullFor(id);
    if (full === null) this.#countToolCall(id);
    else full.#refusedCalls += 1;
    return full === null;
  }

  /** The meter, this one or one above, that has no room for one more call; null when all have. */
  // oxlint-disable-next-line typescript/prefer-return-this-type -- the rule overlooks that it may be one above
  #fullFor(id: string): BudgetMeter | null {
    const isFull = !this.#admitted.has(id) && this.#spent.toolCalls.left === 0;
    if (isFull) return this;
    return this.#above === null ? null : this.#above.#fullFor(id);
  }

  #countToolCall(id: string): void {
    if (!this.#admitted.has(id)) this.#spent.toolCalls.count();
    this.#admitted.add(id);
    if (this.#above !== null) this.#above.#countToolCall(id);
  }

  /** Stops the clock, because a person is asked something. @returns how to let it go on. */
  pause(): () => void {
    const resume = this.#spent.time.pause();
    const resumeAbove = this.#above?.pause();
    return () => {
      resume();
      resumeAbove?.();
    };
  }

  /** Milliseconds until the time is over, if nobody is asked meanwhile. */
  get timeLeft(): number {
    return Math.min(this.#spent.time.left, this.#above?.timeLeft ?? Infinity);
  }

  /** What a task whose time is over ends with. */
  get timeReached(): BudgetReachedError {
    if (this.#spent.time.left > 0 && this.#above?.timeLeft === 0) return this.#above.timeReached;
    return this.#error("time");
  }

  #error(kind: BudgetKind, used = this.#spent[kind].used): BudgetReachedError {
    return new BudgetReachedError(kind, { limit: this.#limits[kind] ?? 0, used });
  }
}

/** Milliseconds since a task began, without those in which a person was asked something. */
class TaskTime extends Allowance {
  readonly #startedAt = performance.now();
  /** How often the clock was stopped and not yet let go on. */
  #pauses = 0;
  #pausedAt = 0;

  override get used(): number {
    // What is counted is what the task had used before it went on, less what a person took.
    return super.used + (this.#pauses > 0 ? this.#pausedAt : performance.now()) - this.#startedAt;
  }

  pause(): () => void {
    if (this.#pauses === 0) this.#pausedAt = performance.now();
    this.#pauses += 1;
    let hasResumed = false;
    return () => {
      if (hasResumed) return;
      hasResumed = true;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.count(this.#pausedAt - performance.now());
    };
  }
}
