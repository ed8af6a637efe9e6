import type { TurnDecision } from "./decision.js";
import { exitWith, type TurnExit } from "./turn-exit.js";
import type { Violation } from "./verify-call.js";

/** How often the same invalid call may come. */
const MOST = 3;

/** The same invalid call again and again would burn the budget. */
export class RepeatedCalls {
  readonly #counts = new Map<string, number>();

  /** Null while it is not too often. */
  count({ toolCall, fetchContext }: TurnDecision, violations: readonly Violation[]): TurnExit | null {
    const red = violations.find(({ isRed }) => isRed);
    if (red === undefined) return null;
    const key = JSON.stringify([red.code, toolCall?.toolId, toolCall?.params, toolCall?.outArtifacts, fetchContext]);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count < MOST) return null;
    const description = `The same invalid call came ${String(count)} times. ${red.message}`;
    return exitWith("protocol_violation", { failure: { where: "react", error: red.code, description, details: null } });
  }
}
