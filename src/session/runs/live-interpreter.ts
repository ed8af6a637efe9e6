import type { WorkspaceMirror } from "../../workspace/index.js";
import { RunBudget, type BudgetLimits } from "./run-budget.js";
import type { RunPlan } from "./run-plan.js";

export interface LiveInterpreterParts {
  /** Its workspace: a new interpreter has none of the files. */
  readonly mirror: WorkspaceMirror;
  /** Bounds what it asks for while nothing runs. */
  readonly idleLimits: BudgetLimits;
  readonly onIdleFlood: (requests: number) => void;
}

/** What the page knows of one interpreter, from its start to its end. */
export class LiveInterpreter {
  readonly mirror: WorkspaceMirror;
  /** Whether an agent's or a client's code has run in it. What it left there may act in any later run. */
  agentWasHere = false;
  readonly #parts: LiveInterpreterParts;
  #idleBudget: RunBudget;
  #toolsSeen = "";
  #toolsVersion = 0;

  constructor(parts: LiveInterpreterParts) {
    this.mirror = parts.mirror;
    this.#parts = parts;
    this.#idleBudget = new RunBudget(parts.idleLimits, parts.onIdleFlood);
  }

  /** Counts what it asks for while nothing runs. */
  get idleBudget(): RunBudget {
    return this.#idleBudget;
  }

  /** A run has ended: what is left of it counts from here on. */
  renewIdleBudget(): void {
    this.#idleBudget = new RunBudget(this.#parts.idleLimits, this.#parts.onIdleFlood);
  }

  /** Another number whenever Python is to forget what it knows of the tools: they changed, or others are in scope. */
  versionOfTools({ scope, wire: { toolCall, runId } }: RunPlan, registered: number): number {
    const seen = JSON.stringify([registered, toolCall === null ? (scope ?? null) : runId]);
    if (seen !== this.#toolsSeen) this.#toolsVersion += 1;
    this.#toolsSeen = seen;
    return this.#toolsVersion;
  }
}
