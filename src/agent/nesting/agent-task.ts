import { messageOf, type Value } from "../../protocol/index.js";
import type { ChildOptions, ChildSession } from "../../session/index.js";
import type { ToolContext } from "../../tools/index.js";
import type { AgentRun } from "../work/agent-run.js";
import type { BudgetMeter } from "../budget/budget.js";
import type { AgentTree, TaskCourse, TaskInside, ToldTask } from "../work/work.js";
import { AgentDepthError, AgentFanOutError, AgentTaskError } from "./agent-task-errors.js";
import type { AgentToolOptions, SpreadLimits } from "./agent-tool-options.js";

/** A call of an agent's tool. */
export interface AgentToolCall {
  readonly options: AgentToolOptions;
  readonly spread: SpreadLimits;
  /** The agents of this tool that work where neither an agent's task goes on nor a turn. */
  readonly alone: AgentTree;
  readonly context: ToolContext;
  /** The task, or the turn, whose code or whose model made the call; null where none did. */
  readonly caller: ToldTask | null;
  /** Counts what this call uses. */
  readonly meter: BudgetMeter;
}

/**
 * Solves one task as the call of a tool.
 *
 * @throws {AgentDepthError} @throws {AgentFanOutError} @throws {BudgetReachedError} with nothing begun.
 * @throws {AgentTaskError} when the agent found no answer.
 */
export async function solveAsTool(task: string, call: AgentToolCall): Promise<Value> {
  const { context, caller, spread, alone } = call;
  context.signal.throwIfAborted();
  // Where neither a task goes on nor a turn, the agent is the first of its tree.
  const place = caller === null ? { tree: alone, depthLeft: spread.depth } : placeBelow(caller.course, spread);
  const { tree } = place;
  if (tree.open >= spread.open) throw new AgentFanOutError("open", spread.open);
  tree.open += 1;
  const solving = solve(task, call, place).finally(() => {
    tree.open -= 1;
  });
  caller?.course.hold(solving, context.callId);
  return solving;
}

type Place = Pick<TaskInside, "tree" | "depthLeft">;

function placeBelow(course: TaskCourse, { depth, perTask }: SpreadLimits): Place {
  const depthLeft = Math.min(depth - course.path.length, course.depthLeft - 1);
  if (depthLeft < 0) throw new AgentDepthError(course.path.length - 1);
  if (course.held >= perTask) throw new AgentFanOutError("per-task", perTask);
  return { tree: course.tree, depthLeft };
}

async function solve(task: string, { options, context, caller, meter }: AgentToolCall, place: Place): Promise<Value> {
  const { name, session, agent, onRun } = options;
  const { callId, signal } = context;
  if (meter.reached !== null) throw meter.reached;
  const child = await session.openChild(childOptions(options, callId));
  try {
    signal.throwIfAborted();
    const run = agent(child).run(task, { signal, inside: { name, callId, caller, meter, ...place } });
    onRun?.(run);
    void tellProgress(run, context);
    const result = await run.result;
    if (result.answer === null) throw new AgentTaskError(name, result);
    return result.answer.value;
  } finally {
    await closeChild(child, { name, context, caller });
  }
}

/** What cannot be freed is told of, and takes no answer away. */
async function closeChild(
  child: ChildSession,
  { name, context, caller }: Pick<AgentToolCall, "context" | "caller"> & { readonly name: string },
): Promise<void> {
  try {
    await child.close();
  } catch (error) {
    const why = messageOf(error);
    const message = `The session of the agent ${name} could not be closed: ${why}`;
    if (caller === null) console.error("Vitrine:", message, error);
    else caller.notice(context.callId, { code: "SESSION_NOT_CLOSED", message });
  }
}

function childOptions(options: AgentToolOptions, parentCall: string): ChildOptions {
  const { trust, scope, timeout, limits, imports } = options;
  const storage = typeof options.storage === "function" ? options.storage() : options.storage;
  return {
    parentCall,
    ...(trust === undefined ? {} : { trust }),
    ...(scope === undefined ? {} : { scope }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(limits === undefined ? {} : { limits }),
    ...(imports === undefined ? {} : { imports }),
    ...(storage === "parent" ? {} : { storage }),
  };
}

/** Tells whoever watches the call how far it is. */
async function tellProgress(run: AgentRun, { report }: ToolContext): Promise<void> {
  let total = 0;
  for await (const event of run) {
    if (event.taskId !== run.taskId) continue;
    if (event.type === "task-started") total = event.maxSteps;
    else if (event.type === "step-started" && event.step !== null) {
      report({ progress: event.step, total, message: `Step ${String(event.step)}` });
    }
  }
}
