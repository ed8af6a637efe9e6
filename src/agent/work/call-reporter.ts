import type { JournalEntry, Policy } from "../../dispatch/index.js";
import type { BudgetMeter } from "../budget/budget.js";
import type { RunningTask } from "./work.js";
import type { StepInProgress } from "./step.js";

/** Refuses a tool call that would be one too many. */
export function budgetPolicy(meter: BudgetMeter): Policy {
  return ({ namespace, name, id }) => {
    // That code defines a tool is no call of one.
    const isCall = namespace === "tools" && name !== "register";
    if (!isCall || meter.admitToolCall(id)) return { kind: "allow" };
    return { kind: "deny", reason: `The task's budget of tool calls is used up, so ${name} is not called.` };
  };
}

/** Tells of the calls of a step. */
export class CallTeller {
  readonly #step: StepInProgress;
  readonly #running: Pick<RunningTask, "isWork">;
  readonly #told = new Set<string>();
  /** Calls that others tell of, who work in the course of the step's. */
  readonly #below = new Set<string>();

  constructor(step: StepInProgress, running: Pick<RunningTask, "isWork">) {
    this.#step = step;
    this.#running = running;
  }

  /** Tells of a call, and of the artifact that it saved. `parentId` is what made it, where no other call of the step did. */
  tell(entry: JournalEntry, parentId: string): void {
    const step = this.#step;
    const { id, parent } = entry;
    if (parent !== null && (this.#running.isWork(parent) || this.#below.has(parent))) {
      this.#below.add(id);
      return;
    }
    this.#told.add(id);
    // The call in whose course this task is solved is another task's.
    const above = parent !== null && this.#told.has(parent) ? parent : parentId;
    step.add({ type: "call", ...step.below(entry.id, above), entry });
    const { namespace, name, outcome } = entry;
    const saved = namespace === "artifacts" && name === "save" && outcome.kind === "ok";
    if (saved && typeof entry.arguments.name === "string") {
      const place = step.below(`${entry.id}/artifact`, entry.id);
      step.add({ type: "artifact", ...place, name: entry.arguments.name });
    }
  }
}
