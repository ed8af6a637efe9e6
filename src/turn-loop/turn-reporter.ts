import { WorkReporter, type StepInProgress } from "../agent/index.js";
import type { MappingOutcome } from "../context/index.js";
import type { TurnEventBody, TurnLog } from "./events.js";
import type { Violation } from "./verify-call.js";

/** Reports what happens in a turn. */
export class TurnReporter extends WorkReporter<TurnLog> {
  report(body: TurnEventBody): void {
    this.log.add(body);
  }

  violations(violations: readonly Violation[], step: StepInProgress): void {
    for (const violation of violations) this.report({ type: "violation", ...step.next("violation"), violation });
  }

  mappings(outcomes: readonly MappingOutcome[], step: StepInProgress): void {
    for (const outcome of outcomes) {
      if (outcome.kind === "applied") {
        this.report({ type: "slot-filled", ...step.part(`slot/${outcome.slot.name}`), slot: outcome.slot });
        continue;
      }
      const { slotName, sourcePath } = outcome.mapping;
      const { reason, message } = outcome;
      this.report({ type: "mapping-refused", ...step.next("mapping"), slotName, sourcePath, reason, message });
    }
  }
}
