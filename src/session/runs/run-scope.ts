import type { Caller } from "../../dispatch/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import type { Services } from "../calls/services.js";
import type { PlannedRun } from "./plan-run.js";
import type { RunBudget } from "./run-budget.js";

/** What the run that goes on may do, and who answers it. */
export interface RunScope {
  readonly id: string;
  readonly caller: Caller;
  readonly tools: ToolDirectory;
  readonly budget: RunBudget;
  /** What the person should know of files that commands wrote meanwhile. */
  readonly notices: string[];
  readonly onHelperCall: PlannedRun["onHelperCall"];
  readonly imports: PlannedRun["imports"];
  readonly task: PlannedRun["task"];
  readonly onTool: PlannedRun["onTool"];
  /** Answers `input()`; undefined where no person is there. */
  readonly onInput: PlannedRun["onInput"];
  /**
   * Aborted when the calls made so far are no longer waited for: the code is being stopped, or has ended. Code that
   * cleans up after its interrupt makes calls of a new one.
   */
  wanted: AbortController;
}

export function runScope(
  { id, caller, onHelperCall, onInput, imports, onTool, scope, toolRun }: PlannedRun,
  { budget, task, tools }: { budget: RunBudget; task: PlannedRun["task"]; tools: ToolDirectory },
): RunScope {
  return {
    id,
    caller,
    tools: toolRun?.tools ?? (scope === undefined ? tools : tools.inScope(scope)),
    budget,
    notices: [],
    onHelperCall,
    onInput,
    imports,
    task,
    onTool,
    wanted: new AbortController(),
  };
}

/** Tells who made a run of its calls. @returns how to stop. */
export function tellOfCalls({ id, onCall, onCallProgress }: PlannedRun, { dispatcher }: Services): () => void {
  const stops = [
    dispatcher.onCall((entry) => {
      if (entry.runId === id && entry.namespace !== "runs") onCall?.(entry);
    }),
    dispatcher.onCallProgress((progress) => {
      if (progress.runId === id) onCallProgress?.(progress);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
