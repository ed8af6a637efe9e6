import { CallEndedError } from "../dispatch/index.js";
import type { ToolDirectory } from "../tools/index.js";
import { childServices } from "./child-services.js";
import type { ChildOptions } from "./child-session.js";
import type { Lineage } from "./lineage.js";
import { createServices, type InterpreterDoor, type Services } from "./services.js";
import type { SessionOptions } from "./session-options.js";

/** How a session comes into being: by itself, or inside another one. */
export interface SessionBirth {
  readonly services: (options: SessionOptions, door: InterpreterDoor) => Services;
  readonly lineage?: Lineage;
}

export const ORDINARY: SessionBirth = { services: createServices };

/** What a child needs of its parent. */
export interface Parent {
  readonly services: Services;
  /** Counts what the child asks for in the budget of a run of the parent. */
  readonly admitBelow: (runId: string, method: string) => () => void;
  readonly pauseClock: () => () => void;
}

/** How a child comes into being, and the tools that it will see. @throws {CallEndedError} */
export function planChild(
  { parentCall, scope, storage, onTool }: ChildOptions,
  { services, admitBelow, pauseClock }: Parent,
): { readonly birth: SessionBirth; readonly tools: ToolDirectory; readonly callingRun: string | null } {
  const call = parentCall === undefined ? undefined : services.operations.callUnderWay(parentCall);
  if (parentCall !== undefined && call === undefined) throw new CallEndedError("openChild");
  // The functions of what session code defined are in the parent's interpreter, which waits, or is another one's.
  const visible = (call?.tools ?? services.tools).inScope({ pageToolsOnly: true });
  const tools = scope === undefined ? visible : visible.inScope(scope);
  return {
    tools,
    callingRun: call?.runId ?? null,
    birth: {
      services: (options, door) =>
        childServices({ parent: services, options, storage, tools, observeTool: onTool }, door),
      lineage: {
        callId: parentCall ?? null,
        runId: call?.runId ?? null,
        task: call?.task,
        pauseClock,
        admit: (method) => admitBelow(call?.runId ?? "", method),
      },
    },
  };
}
