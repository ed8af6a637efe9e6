import type { ToolDirectory } from "../../tools/index.js";
import type { Services } from "../calls/services.js";
import type { RunBudget } from "./run-budget.js";
import type { RunPlan } from "./run-plan.js";

/** What the run that goes on may do, and who answers it. */
export interface RunScope {
  readonly plan: RunPlan;
  readonly tools: ToolDirectory;
  readonly budget: RunBudget;
  /** What the person should know of files that commands wrote meanwhile. */
  readonly notices: string[];
  readonly task: RunPlan["task"];
  /**
   * Aborted when the calls made so far are no longer waited for: the code is being stopped, or has ended. Code that
   * cleans up after its interrupt makes calls of a new one.
   */
  wanted: AbortController;
}

export function runScope(
  plan: RunPlan,
  { budget, task, tools }: { budget: RunBudget; task: RunPlan["task"]; tools: ToolDirectory },
): RunScope {
  const { scope, servedTools } = plan;
  const seen = servedTools ?? (scope === undefined ? tools : tools.inScope(scope));
  return { plan, tools: seen, budget, notices: [], task, wanted: new AbortController() };
}

/** Tells who made a run of its calls. @returns how to stop. */
export function tellOfCalls({ wire, onCall, onCallProgress }: RunPlan, { dispatcher }: Services): () => void {
  const { runId } = wire;
  const stops = [
    dispatcher.onCall((entry) => {
      if (entry.runId === runId && entry.namespace !== "runs") onCall?.(entry);
    }),
    dispatcher.onCallProgress((progress) => {
      if (progress.runId === runId) onCallProgress?.(progress);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
