import type { ObserveTool } from "./call-origin.js";
import type { ProblemReports } from "./problem-reports.js";

/** Who follows the calls of tools may fail: that is reported, and the calls go on. */
export function guardedObserver(
  observe: ObserveTool | undefined,
  guarded: ProblemReports["guarded"],
): ObserveTool | undefined {
  if (observe === undefined) return undefined;
  return (call) => {
    const listeners: ReturnType<ObserveTool>[] = [];
    const begin = guarded((begun: typeof call) => {
      listeners.push(observe(begun));
    });
    const returned = guarded((value: Parameters<ReturnType<ObserveTool>["returned"]>[0]) => {
      for (const listener of listeners) listener.returned(value);
    });
    const failed = guarded((error: unknown) => {
      for (const listener of listeners) listener.failed(error);
    });
    begin?.(call);
    return { returned: (value) => returned?.(value), failed: (error) => failed?.(error) };
  };
}
