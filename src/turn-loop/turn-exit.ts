import { BudgetReachedError } from "../agent/index.js";
import { ContractError } from "../contract/index.js";
import { VitrineError } from "../protocol/index.js";
import type { ExitReason, TurnError } from "./turn-result.js";

/** Why the loop does not go on. */
export interface TurnExit {
  readonly reason: ExitReason;
  readonly failure: TurnError | null;
  readonly questions: readonly string[];
}

export function exitWith(reason: ExitReason, { failure = null, questions = [] }: Partial<TurnExit> = {}): TurnExit {
  return { reason, failure, questions };
}

/** Exits after which mapping may still fill something. */
export const WITH_WRAP_UP: readonly ExitReason[] = [
  "incomplete_contract",
  "max_iterations",
  "context_reads_exhausted",
  "decision_no_progress",
  "exploit_overdraft_blocked",
  "protocol_violation",
];

export function exitFor(error: Error): TurnExit {
  const code = error instanceof VitrineError ? error.code : "INTERNAL";
  const failure: TurnError = { where: "react", error: code, description: error.message, details: null };
  if (error instanceof BudgetReachedError) return exitWith("budget_reached", { failure });
  return exitWith(error instanceof ContractError ? "invalid_contract" : "error", { failure });
}
