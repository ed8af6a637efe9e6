import { CallBudgetError, OpenCallsError } from "../limit-errors.js";

export interface BudgetLimits {
  readonly callsPerRun: number;
  readonly openCalls: number;
}

/** They end what was begun, and what was begun was counted. */
const ENDINGS = new Set(["skills.end", "invoke.end"]);

/** Requests beyond all limits that Python's side of the bridge can come to by mistake. */
const TOLERANCE = 1000;

/**
 * Counts what the interpreter asks for in the course of one run. Python's own
 * side stops asking when it was told that there is no more; requests that come all
 * the same are a flood, which ends the run before it can stall the page.
 */
export class RunBudget {
  readonly #limits: BudgetLimits;
  readonly #onFlood: (requests: number) => void;
  readonly #floodAt: number;
  #calls = 0;
  #open = 0;
  #requests = 0;

  constructor(limits: BudgetLimits, onFlood: (requests: number) => void) {
    this.#limits = limits;
    this.#onFlood = onFlood;
    // Every call may have an ending.
    this.#floodAt = 2 * limits.callsPerRun + limits.openCalls + TOLERANCE;
  }

  /** Counts what is asked for on the page, by a child that works in the course of this run for instance. That is no flood of this run. */
  admitBelow(method: string): () => void {
    return this.#count(method);
  }

  /**
   * Answers with what to call once the request is answered.
   *
   * @throws {CallBudgetError}
   * @throws {OpenCallsError}
   */
  admit(method: string): () => void {
    this.#requests += 1;
    if (this.#requests === this.#floodAt) this.#onFlood(this.#requests);
    return this.#count(method);
  }

  #count(method: string): () => void {
    if (ENDINGS.has(method)) return () => undefined;
    const { callsPerRun, openCalls } = this.#limits;
    if (this.#calls >= callsPerRun) throw new CallBudgetError(callsPerRun);
    if (this.#open >= openCalls) throw new OpenCallsError(openCalls);
    this.#calls += 1;
    this.#open += 1;
    return () => {
      this.#open -= 1;
    };
  }
}
