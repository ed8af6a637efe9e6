import { CallEndedError, type CallNamespace } from "../../dispatch/index.js";
import type { CallingSession } from "../../file-tools/index.js";
import type { WritingSession } from "../../write-code/index.js";
import type { CallOrigin } from "./call-origin.js";

interface OpenCall {
  /** Whose interpreter, or page, made it: the operations of a session or of one inside it. */
  readonly maker: object;
  readonly origin: CallOrigin;
  readonly session: CallingSession;
  readonly writing: WritingSession;
  /** The run that was made to serve the call. */
  servedBy?: string;
  readonly namespace: CallNamespace;
  /** How many calls it is inside of, itself included. */
  readonly depth: number;
}

/** The calls that are under way, of a session and of those inside it: theirs are inside of its, and as deep. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  /** @returns how to say that the call has ended. */
  begin(id: string, call: Omit<OpenCall, "servedBy">): () => void {
    this.#calls.set(id, call);
    return () => this.#calls.delete(id);
  }

  /** How deep a call is in the course of that one; null for one that no other made. */
  depthBelow(parent: string | null): number {
    return 1 + (parent === null ? 0 : (this.#calls.get(parent)?.depth ?? 0));
  }

  /** Who made a call that is under way, in what run, with which tools, for which task. */
  originOf(id: string): CallOrigin | undefined {
    return this.#calls.get(id)?.origin;
  }

  /** The files of the session that made a call. @throws {CallEndedError} for one that has ended. */
  sessionOf(id: string): CallingSession {
    const call = this.#calls.get(id);
    if (call === undefined) throw new CallEndedError(id);
    return call.session;
  }

  /** The same, for a tool that writes code. @throws {CallEndedError} */
  writingSessionOf(id: string): WritingSession {
    const call = this.#calls.get(id);
    if (call === undefined) throw new CallEndedError(id);
    return call.writing;
  }

  /** Whether they made the call, and it is under way. */
  isMadeBy(maker: object, id: string): boolean {
    return this.#calls.get(id)?.maker === maker;
  }

  /** The call, if it is under way in that run; the worker may claim any parent, and only a true one is noted. */
  inRun(id: string | null, runId: string): { id: string; namespace: CallNamespace } | null {
    const call = id === null ? undefined : this.#calls.get(id);
    if (id === null || call === undefined) return null;
    return call.origin.runId === runId || call.servedBy === runId ? { id, namespace: call.namespace } : null;
  }

  /** A run is made to serve a call under way: what its code calls is called in the course of that. */
  serve(id: string, runId: string): { readonly origin: CallOrigin; readonly isFromClient: boolean } {
    const call = this.#calls.get(id);
    if (call === undefined) throw new CallEndedError(id);
    call.servedBy = runId;
    let first = call.origin;
    for (let at = first.parent; at !== null; at = first.parent) {
      const above = this.#calls.get(at);
      if (above === undefined) break;
      first = above.origin;
    }
    const isFromClient = first.inAgentRun || first.caller === "client" || first.caller === "agent";
    return { origin: call.origin, isFromClient };
  }
}
