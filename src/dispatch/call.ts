import type { TrustLevel, Value } from "../protocol/index.js";
import type { ToolHints } from "../tools/index.js";

/** Who made a call: session code, an agent, the page itself, or a tool in the course of another call. */
export type Caller = "code" | "agent" | "page" | "tool";

/** `runs` is for the runs themselves, which the journal keeps beside their calls. */
export type CallNamespace = "tools" | "skills" | "artifacts" | "deps" | "runs";

export type CallArguments = Readonly<Record<string, Value>>;

/** A call as its maker describes it. */
export interface CallDescription {
  readonly namespace: CallNamespace;
  /** Within the namespace: `echo.shout`, `save`. */
  readonly name: string;
  readonly arguments: CallArguments;
  readonly hints: ToolHints;
  readonly tags: readonly string[];
  readonly runId: string;
  /** The call in whose course this one is made. */
  readonly parent: string | null;
  readonly caller: Caller;
  /** Whether it belongs to an agent's run, or to a later one of the same interpreter, whoever makes it. Default: false. */
  readonly inAgentRun?: boolean;
  readonly trust: TrustLevel;
  /** Throws when the caller may not see what is called. */
  readonly scope?: () => void;
  /** Checks the arguments, and returns those to go on with. What it throws ends the call. */
  readonly validate?: (args: CallArguments) => CallArguments;
}

/** A call on its way through the stages. */
export interface Call extends CallDescription {
  /** The id of its journal entry. */
  readonly id: string;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/** Decides whether a call is made. It may wait for a person; throwing ends the call as well. */
export type Policy = (call: Call) => Decision | Promise<Decision>;

/** `ask` leaves it to a person; `reason` tells them why they are asked. */
export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly reason: string }
  | { readonly kind: "ask"; readonly reason: string };

/**
 * Wraps every call: may look, answer in its place, call `next` with other
 * arguments, or again. Of several the first is outermost.
 */
export type Stage = (call: Call, next: (call: Call) => Promise<Value>) => Promise<Value>;

/** What does the work in the end. */
export type Invoke = (args: CallArguments, context: InvokeContext) => Promise<Value>;

export interface InvokeContext {
  readonly callId: string;
  readonly signal: AbortSignal;
}
