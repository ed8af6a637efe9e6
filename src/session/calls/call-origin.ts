import type { Caller } from "../../dispatch/index.js";
import type { Value } from "../../protocol/index.js";
import type { CallingTask, ToolDirectory } from "../../tools/index.js";

/** Who makes a call, and in the course of what. */
export interface CallOrigin {
  readonly runId: string;
  readonly parent: string | null;
  readonly caller: Caller;
  /** Whether an agent's code ran in the interpreter that asks. */
  readonly inAgentRun: boolean;
  /** The task of the agent in whose course it is made; undefined where no agent works. */
  readonly task?: CallingTask | undefined;
  /** The tools that can be seen from there. */
  readonly tools: ToolDirectory;
  /** Hears of its calls of tools, of those of its session beside. */
  readonly onTool?: ObserveTool | undefined;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/** Hears of each call of a tool that code makes, not of those that tools make; the answer hears how it ended, with the whole value. */
export type ObserveTool = (call: { readonly name: string; readonly arguments: Readonly<Record<string, Value>> }) => {
  readonly returned: (value: Value) => void;
  readonly failed: (error: unknown) => void;
};

/** What the helpers of a run tell the page, or ask of it. It comes from where session code runs: look before use. */
export interface HelperCall {
  readonly kind: string;
  readonly content: Readonly<Record<string, Value>>;
}
