import type { Services } from "../calls/services.js";
import type { RunPlan } from "./run-plan.js";
import type { RunResult } from "./run-result.js";

/**
 * Runs are in the journal beside the calls they make.
 *
 * @param parent - the call in whose course the run is made.
 * @returns how to note what became of it.
 */
export function journalRun(
  { wire: { runId, code }, name, caller }: RunPlan,
  { journal, dispatcher, trust }: Pick<Services, "journal" | "dispatcher" | "trust">,
  parent: string | null,
): (result: RunResult) => void {
  const description = { runId, parent, caller, namespace: "runs", name, arguments: { code }, trust } as const;
  const { entry } = journal.begin(description, { urgent: false });
  dispatcher.announce(entry);
  return ({ error, elapsed }) => {
    const outcome =
      error === null
        ? ({ kind: "ok", summary: null, elapsed } as const)
        : ({ kind: "error", name: error.pythonType, code: error.code, message: error.message, elapsed } as const);
    dispatcher.announce(journal.finish(entry.id, outcome, { urgent: false }).entry);
  };
}
