import { BudgetReachedError } from "../agent/index.js";
import { ContractError } from "../contract/index.js";
import { VitrineError } from "../protocol/index.js";
import type { ExitReason, TurnError } from "./turn-result.js";

/** Why the loop does not go on. */
export interface Leaving {
  readonly exit: ExitReason;
  readonly failure: TurnError | null;
  readonly questions: readonly string[];
}

export function leave(exit: ExitReason, { failure = null, questions = [] }: Partial<Leaving> = {}): Leaving {
  return { exit, failure, questions };
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

export function leaveFor(error: Error): Leaving {
  const code = error instanceof VitrineError ? error.code : "INTERNAL";
  const failure: TurnError = { where: "react", error: code, description: error.message, details: null };
  if (error instanceof BudgetReachedError) return leave("budget_reached", { failure });
  return leave(error instanceof ContractError ? "invalid_contract" : "error", { failure });
}
