import type { MappingOutcome } from "../context/index.js";
import type { StepInProgress } from "../agent/index.js";
import type { TurnEventBody, TurnLog } from "./events.js";
import { codeOf } from "./leaving.js";
import type { Violation } from "./verify-call.js";

/** Tells what happens in a turn, each thing in its place. */
export class TurnTeller {
  readonly log: TurnLog;

  constructor(log: TurnLog) {
    this.log = log;
  }

  tell(body: TurnEventBody): void {
    this.log.add(body);
  }

  id(part: string): string {
    return `${this.log.taskId}/${part}`;
  }

  get root(): { id: string; parentId: null; step: null } {
    return { id: this.log.taskId, parentId: null, step: null };
  }

  /** The place of something that happens once, below the turn. */
  at(part: string): { id: string; parentId: string; step: null } {
    return { id: this.id(part), parentId: this.log.taskId, step: null };
  }

  violations(violations: readonly Violation[], step: StepInProgress): void {
    for (const violation of violations) this.tell({ type: "violation", ...step.next("violation"), violation });
  }

  mappings(outcomes: readonly MappingOutcome[], step: StepInProgress): void {
    for (const outcome of outcomes) {
      if (outcome.kind === "applied") {
        this.tell({ type: "slot-filled", ...step.part(`slot/${outcome.slot.name}`), slot: outcome.slot });
        continue;
      }
      const { slotName, sourcePath } = outcome.mapping;
      const { reason, message } = outcome;
      this.tell({ type: "mapping-refused", ...step.next("mapping"), slotName, sourcePath, reason, message });
    }
  }

  error(error: Error): void {
    const { name, message } = error;
    this.tell({ type: "error", ...this.at("error"), name, code: codeOf(error), message, error });
  }
}
