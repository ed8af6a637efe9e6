import { Allowance } from "../../protocol/index.js";
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
  readonly #onFlood: (requests: number) => void;
  readonly #calls: Allowance;
  readonly #open: Allowance;
  readonly #requests: Allowance;

  constructor({ callsPerRun, openCalls }: BudgetLimits, onFlood: (requests: number) => void) {
    this.#onFlood = onFlood;
    this.#calls = new Allowance(callsPerRun);
    this.#open = new Allowance(openCalls);
    // Every call may have an ending.
    this.#requests = new Allowance(2 * callsPerRun + openCalls + TOLERANCE);
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
    // Once, however many come after that.
    if (this.#requests.take() && this.#requests.left === 0) this.#onFlood(this.#requests.used);
    return this.#count(method);
  }

  #count(method: string): () => void {
    if (ENDINGS.has(method)) return () => undefined;
    if (this.#calls.left === 0) throw new CallBudgetError(this.#calls.limit);
    if (!this.#open.take()) throw new OpenCallsError(this.#open.limit);
    this.#calls.count();
    return () => {
      this.#open.count(-1);
    };
  }
}
