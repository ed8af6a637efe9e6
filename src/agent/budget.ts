import { AgentOptionsError, BudgetReachedError } from "./errors.js";

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
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
}

/** Tokens of one request and its reply. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** True where the server did not count. */
  readonly isEstimated: boolean;
}

/** What a task has used so far. */
export interface TaskUsage extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Milliseconds, without those in which a person was asked something. */
  readonly time: number;
  /** Null without prices. */
  readonly money: number | null;
}

export type BudgetKind = keyof TaskBudget;

const KINDS = ["modelCalls", "tokens", "toolCalls", "time", "money"] as const satisfies readonly BudgetKind[];

/** Counts what a task uses, and says when that is enough. */
export class BudgetMeter {
  readonly #limits: TaskBudget;
  readonly #prices: ModelPrices | undefined;
  #startedAt = performance.now();
  /** How often the clock was stopped and not yet let go on. */
  #pauses = 0;
  #pausedAt = 0;
  #personTime = 0;
  #modelCalls = 0;
  #toolCalls = 0;
  /** A call whose arguments a middleware changes is judged anew. */
  readonly #admitted = new Set<string>();
  #refusedCalls = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #isEstimated = false;

  /** @throws {AgentOptionsError} for a bound that is none. */
  constructor(limits: TaskBudget = {}, prices?: ModelPrices) {
    for (const kind of KINDS) {
      const limit = limits[kind];
      if (limit !== undefined && !(limit >= 0)) throw new AgentOptionsError("budget", `has no number for ${kind}`);
    }
    if (limits.money !== undefined && prices === undefined) {
      throw new AgentOptionsError("budget", "limits money, which nothing counts without `prices`");
    }
    this.#limits = limits;
    this.#prices = prices;
  }

  get usage(): TaskUsage {
    return {
      modelCalls: this.#modelCalls,
      toolCalls: this.#toolCalls,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      isEstimated: this.#isEstimated,
      time: this.#time(),
      money: this.#money(),
    };
  }

  /** Something that the next model call, or what goes on, would be too much for; null while there is room. */
  get reached(): BudgetReachedError | null {
    if (this.#refusedCalls > 0) return this.#error("toolCalls", this.#toolCalls + this.#refusedCalls);
    const used: Readonly<Record<BudgetKind, number | null>> = {
      modelCalls: this.#modelCalls,
      tokens: this.#inputTokens + this.#outputTokens,
      // The last one that is allowed may be looked at; one more is refused.
      toolCalls: null,
      time: this.#time(),
      money: this.#money(),
    };
    for (const kind of KINDS) {
      const amount = used[kind];
      if (amount !== null && amount >= (this.#limits[kind] ?? Infinity)) return this.#error(kind, amount);
    }
    return null;
  }

  /** Counts on from what was used before. */
  resume({ modelCalls, toolCalls, inputTokens, outputTokens, isEstimated, time }: TaskUsage): void {
    this.#modelCalls += modelCalls;
    this.#toolCalls += toolCalls;
    this.countTokens({ inputTokens, outputTokens, isEstimated });
    this.#startedAt -= time;
  }

  countModelCall(): void {
    this.#modelCalls += 1;
  }

  countTokens({ inputTokens, outputTokens, isEstimated }: TokenUsage): void {
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
    this.#isEstimated ||= isEstimated;
  }

  /** Counts a tool call that is about to be made, each id once. False: it would be one too many. */
  admitToolCall(id: string): boolean {
    if (this.#admitted.has(id)) return true;
    if (this.#toolCalls >= (this.#limits.toolCalls ?? Infinity)) {
      this.#refusedCalls += 1;
      return false;
    }
    this.#toolCalls += 1;
    this.#admitted.add(id);
    return true;
  }

  /** Stops the clock, because a person is asked something. @returns how to let it go on. */
  pause(): () => void {
    if (this.#pauses === 0) this.#pausedAt = performance.now();
    this.#pauses += 1;
    let hasResumed = false;
    return () => {
      if (hasResumed) return;
      hasResumed = true;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#personTime += performance.now() - this.#pausedAt;
    };
  }

  /** Milliseconds until the time is over, if nobody is asked meanwhile. */
  get timeLeft(): number {
    return Math.max(0, (this.#limits.time ?? Infinity) - this.#time());
  }

  /** What a task whose time is over ends with. */
  get timeReached(): BudgetReachedError {
    return this.#error("time", this.#time());
  }

  #time(): number {
    const asking = this.#pauses > 0 ? performance.now() - this.#pausedAt : 0;
    return performance.now() - this.#startedAt - this.#personTime - asking;
  }

  #money(): number | null {
    if (this.#prices === undefined) return null;
    return (this.#inputTokens * this.#prices.input + this.#outputTokens * this.#prices.output) / 1_000_000;
  }

  #error(kind: BudgetKind, used: number): BudgetReachedError {
    return new BudgetReachedError(kind, { limit: this.#limits[kind] ?? 0, used });
  }
}
