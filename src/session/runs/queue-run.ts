import { STOPPED_BEFORE_START } from "./interpreter-runs.js";
import type { RunPlan } from "./run-plan.js";
import type { RunQueue } from "./run-queue.js";
import { failedRun, type RunResult } from "./run-result.js";

export interface QueuedRun {
  readonly queue: RunQueue;
  /** The signal of the run's plan is this one's. */
  readonly stop: AbortController;
  /** Of whoever asked for the run. */
  readonly signal: AbortSignal | undefined;
  readonly start: (stopRun: () => void) => Promise<RunResult>;
}

/** Has a run wait for its turn. Stopped before that it ends at once; from then on a stop interrupts its code. */
export function queueRun(plan: RunPlan, { queue, stop, signal, start }: QueuedRun): Promise<RunResult> {
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<RunResult>();
  const stopRun = (): void => {
    stop.abort();
  };
  const giveUp = (): void => {
    abandon(failedRun(plan.wire.runId, STOPPED_BEFORE_START));
  };
  stop.signal.addEventListener("abort", giveUp, { once: true });
  signal?.addEventListener("abort", stopRun);
  if (signal?.aborted === true) stop.abort();
  const result = queue.add(async () => {
    stop.signal.removeEventListener("abort", giveUp);
    try {
      return await start(stopRun);
    } finally {
      signal?.removeEventListener("abort", stopRun);
    }
  });
  return Promise.race([result, abandoned]);
}
