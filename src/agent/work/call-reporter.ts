import type { JournalEntry } from "../../dispatch/index.js";
import type { WorkLog } from "./event-log.js";
import type { StepInProgress } from "./step.js";
import type { Work } from "./work.js";

/** Reports the calls of a work, but for those that the work inside it reports itself. */
export class CallReporter {
  readonly #work: Work<WorkLog>;
  readonly #write: (entry: JournalEntry, parentId: string) => void;
  readonly #reported = new Set<string>();
  readonly #reportedInside = new Set<string>();

  /** @param write - is given each call, and what it belongs to. */
  constructor(work: Work<WorkLog>, write: (entry: JournalEntry, parentId: string) => void) {
    this.#work = work;
    this.#write = write;
  }

  /** @param parentId - what made the call, where no other call of these did. */
  report(entry: JournalEntry, parentId: string): void {
    const { id, parent } = entry;
    if (parent !== null && (this.#work.isReportedInside(parent) || this.#reportedInside.has(parent))) {
      this.#reportedInside.add(id);
      return;
    }
    this.#reported.add(id);
    // The call that the work itself is done for is another one's.
    this.#write(entry, parent !== null && this.#reported.has(parent) ? parent : parentId);
  }
}

/** Reports the calls of a step, and the artifacts that they save. */
export function stepCalls(step: StepInProgress, work: Work): CallReporter {
  return new CallReporter(work, (entry, parentId) => {
    step.add({ type: "call", ...step.below(entry.id, parentId), entry });
    const { namespace, name, outcome } = entry;
    const saved = namespace === "artifacts" && name === "save" && outcome.kind === "ok";
    if (!saved || typeof entry.arguments.name !== "string") return;
    const ids = step.below(`${entry.id}/artifact`, entry.id);
    step.add({ type: "artifact", ...ids, name: entry.arguments.name });
  });
}
