import { optionCheck } from "../../options/index.js";
import type { Value } from "../../protocol/index.js";
import { MultipleFinalAnswersError } from "../errors.js";

/** `final_attempt`: it came when the steps were used up and the model was asked for its best. */
export type AnswerSource = "normal" | "final_attempt";

/** The answer of a task, and where it comes from. */
export interface FinalAnswer {
  readonly value: Value;
  readonly source: AnswerSource;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** What else is known of it: `verifiedBy`, for instance. */
  readonly metadata: Readonly<Record<string, Value>>;
}

/** What is noted with a final answer. */
export interface FinalAnswerOptions {
  /** Default: `normal`. */
  readonly source?: AnswerSource;
  readonly metadata?: Readonly<Record<string, Value>>;
}

const checkOptions = optionCheck<FinalAnswerOptions>("finalizer.set", { source: "string?", metadata: "object?" });

/**
 * Holds the one answer of a task, for loops of one's own (TinyCodeAgent's `Finalizer`). An agent's answer is in its result.
 */
export class Finalizer {
  #answer: FinalAnswer | null = null;

  /** @throws {MultipleFinalAnswersError} for a second answer; the first one stays. */
  set(value: Value, options: FinalAnswerOptions = {}): FinalAnswer {
    checkOptions(options);
    const { source = "normal", metadata = {} } = options;
    if (this.#answer !== null) throw new MultipleFinalAnswersError(this.#answer.value, value);
    this.#answer = { value, source, time: Date.now(), metadata };
    return this.#answer;
  }

  /** Null before there is one. */
  get(): FinalAnswer | null {
    return this.#answer;
  }

  get isSet(): boolean {
    return this.#answer !== null;
  }

  /** Forgets the answer, so that another may be given. */
  reset(): void {
    this.#answer = null;
  }
}
