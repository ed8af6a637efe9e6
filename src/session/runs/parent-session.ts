import { CallEndedError, type Policy } from "../../dispatch/index.js";
import type { StorageBackend } from "../../storage/index.js";
import type { CallingTask, ToolDirectory } from "../../tools/index.js";
import type { ObserveTool } from "../calls/call-origin.js";
import type { ChangeRecording } from "../../workspace/index.js";
import type { Services } from "../calls/services.js";

/** What a session that was opened inside another one has of that. */
export interface ParentSession {
  readonly services: Services;
  /** The call that it works for; null where it works for the page. */
  readonly callId: string | null;
  /** The run that call belongs to. */
  readonly runId: string | null;
  /** The task of an agent that the call belongs to. */
  readonly task: CallingTask | undefined;
  /** What it sees of the parent's tools. */
  readonly tools: ToolDirectory;
  /** Where it keeps its bytes; undefined for the parent's place. */
  readonly storage: StorageBackend | undefined;
  /** Keeps what files held before the session changed them. */
  readonly recording: ChangeRecording | undefined;
  readonly observeTool: ObserveTool | undefined;
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
export function checkParentCall({ callId, services }: ParentSession, what: string): void {
  if (callId !== null && services.operations.openCalls.originOf(callId) === undefined) throw new CallEndedError(what);
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
