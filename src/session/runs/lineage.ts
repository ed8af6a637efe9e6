import { CallEndedError, type Policy } from "../../dispatch/index.js";
import type { Services } from "../calls/services.js";
import type { RunPlan } from "./run-plan.js";

/** What the runs of a child session belong to. */
export interface Lineage {
  /** The call in whose course they are made; null for a child that works for the page. */
  readonly callId: string | null;
  /** The run that call belongs to. */
  readonly runId: string | null;
  /** The task of an agent that the call belongs to. */
  readonly task: RunPlan["task"];
  /** Stops the clocks of everybody who waits. */
  readonly pauseClock: () => () => void;
  /** Counts a request in the budget of that run. */
  readonly admit: (method: string) => () => void;
}

/**
 * A child works no longer than the call that it works for: what bounds that call would not bound it any more.
 *
 * @throws {CallEndedError} naming what is not done.
 */
export function checkLineage({ callId }: Lineage, { operations }: Services, what: string): void {
  if (callId !== null && operations.openCalls.originOf(callId) === undefined) throw new CallEndedError(what);
}

/** The policy of a run with that of the run in whose course it is made: the stricter one counts. */
export function stricter(above: Policy | undefined, own: Policy | undefined): Policy | undefined {
  if (above === undefined || own === undefined) return above ?? own;
  return async (call) => {
    // A call that the run's own policy refuses is none that the other one should count.
    const decision = await own(call);
    if (decision.kind === "deny") return decision;
    const second = await above(call);
    return second.kind === "allow" ? decision : second;
  };
}
