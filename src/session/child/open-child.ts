import { CallEndedError } from "../../dispatch/index.js";
import type { ToolDirectory } from "../../tools/index.js";
import { checkOptions } from "../check-options.js";
import { guardedObserver } from "../calls/guarded-observer.js";
import type { SessionInterpreter } from "../runs/session-interpreter.js";
import type { ProblemReports } from "../calls/problem-reports.js";
import type { Services } from "../calls/services.js";
import type { SessionOptions } from "../session-options.js";
import type { Session } from "../session.js";
import { childOptions } from "./child-options.js";
import { childServices } from "./child-services.js";
import { ChildSession, type ChildOptions } from "./child-session.js";
import type { SessionBirth } from "./session-birth.js";

/** What a child needs of its parent. */
export interface Parent {
  readonly options: SessionOptions;
  readonly services: Services;
  readonly interpreter: Pick<SessionInterpreter, "admitBelow" | "importsOf" | "shareFiles">;
  readonly problems: ProblemReports;
  readonly pauseClock: () => () => void;
  /** Makes a session that ends with the parent, and starts its interpreter. */
  readonly open: (options: SessionOptions, birth: SessionBirth) => Promise<Session>;
}

/**
 * Opens a session inside the one that makes the call.
 *
 * @throws {SessionOptionsError}
 * @throws {CallEndedError}
 */
export async function openChildSession(options: ChildOptions, parent: Parent): Promise<ChildSession> {
  const { birth, tools, callingRun } = planChild(options, parent);
  const { interpreter } = parent;
  const own = childOptions(parent.options, options, interpreter.importsOf(callingRun));
  checkOptions(own);
  // The code that waits and the child work on the same files, unless the child has a place of its own.
  const shared = options.storage === undefined ? callingRun : null;
  await interpreter.shareFiles(shared, "collect");
  const child = await parent.open(own, birth);
  const handBack = (): Promise<void> =>
    interpreter.shareFiles(shared, "exchange").catch((error: unknown) => {
      // The next run gets them.
      parent.problems.report(error);
    });
  return new ChildSession(child, { tools, handBack });
}

/** How a child comes into being, and the tools that it will see. @throws {CallEndedError} */
function planChild(
  { parentCall, scope, storage, onTool }: ChildOptions,
  { services, interpreter, problems, pauseClock }: Parent,
): { readonly birth: SessionBirth; readonly tools: ToolDirectory; readonly callingRun: string | null } {
  const call = parentCall === undefined ? undefined : services.operations.openCalls.originOf(parentCall);
  if (parentCall !== undefined && call === undefined) throw new CallEndedError("openChild");
  // The functions of what session code defined are in the parent's interpreter, which waits, or is another one's.
  const visible = (call?.tools ?? services.tools).inScope({ pageToolsOnly: true });
  const tools = scope === undefined ? visible : visible.inScope(scope);
  return {
    tools,
    callingRun: call?.runId ?? null,
    birth: {
      services: (options, access) =>
        childServices(
          {
            parent: services,
            options,
            storage,
            tools,
            observeTool: guardedObserver(onTool, (listener) => problems.guarded(listener)),
          },
          access,
        ),
      lineage: {
        callId: parentCall ?? null,
        runId: call?.runId ?? null,
        task: call?.task,
        pauseClock,
        admit: (method) => interpreter.admitBelow(call?.runId ?? "", method),
      },
    },
  };
}
