import { messageOf, type Value } from "../../protocol/index.js";
import type { ChildOptions, ChildSession } from "../../session/index.js";
import type { ToolContext } from "../../tools/index.js";
import type { AgentRun } from "../work/agent-run.js";
import type { BudgetMeter } from "../budget/budget.js";
import type { AgentNotice } from "../events/events.js";
import type { WorkLog } from "../work/event-log.js";
import type { AgentCount, ParentCall, Work, WorkCaller } from "../work/work.js";
import { AgentDepthError, AgentFanOutError, AgentTaskError } from "./agent-task-errors.js";
import type { AgentToolOptions, SpreadLimits } from "./agent-tool-options.js";

/** A call of an agent's tool. */
export interface AgentToolCall {
  readonly options: AgentToolOptions;
  readonly spread: SpreadLimits;
  /** The agents of this tool that work outside any other work. */
  readonly alone: AgentCount;
  readonly context: ToolContext;
  /** From where the call was made; null where it was made outside any work. */
  readonly caller: WorkCaller | null;
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
  const room = caller === null ? { agents: alone, depthLeft: spread.depth } : roomInside(caller.work, spread);
  const { agents } = room;
  if (agents.open >= spread.open) throw new AgentFanOutError("open", spread.open);
  agents.open += 1;
  const solving = solve(task, call, room).finally(() => {
    agents.open -= 1;
  });
  caller?.work.addAgent(solving, context.callId);
  return solving;
}

type Room = Pick<ParentCall, "agents" | "depthLeft">;

/** @throws {AgentDepthError} @throws {AgentFanOutError} */
function roomInside(work: Work<WorkLog>, { depth, perTask }: SpreadLimits): Room {
  const depthLeft = Math.min(depth - work.path.length, work.depthLeft - 1);
  if (depthLeft < 0) throw new AgentDepthError(work.path.length - 1);
  if (work.agentsStarted >= perTask) throw new AgentFanOutError("per-task", perTask);
  return { agents: work.agents, depthLeft };
}

async function solve(task: string, { options, context, caller, meter }: AgentToolCall, room: Room): Promise<Value> {
  const { name, session, agent, onRun } = options;
  const { callId, signal } = context;
  if (meter.reached !== null) throw meter.reached;
  const child = await session.openChild(childOptions(options, callId));
  try {
    signal.throwIfAborted();
    const run = agent(child).run(task, { signal, inside: { name, callId, caller, meter, ...room } });
    onRun?.(run);
    void reportProgress(run, context);
    const result = await run.result;
    if (result.answer === null) throw new AgentTaskError(name, result);
    return result.answer.value;
  } finally {
    await closeChild(child, { name, context, caller });
  }
}

/** What cannot be freed is reported, and takes no answer away. */
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
    else reportNotice(caller, context.callId, { code: "SESSION_NOT_CLOSED", message });
  }
}

function reportNotice(caller: WorkCaller, callId: string, notice: AgentNotice): void {
  const { log, parentId } = caller.eventsOf(callId);
  log.add({ type: "notice", id: `${log.taskId}/notice-${String(log.next())}`, parentId, step: null, notice });
}

function childOptions(options: AgentToolOptions, parentCall: string): ChildOptions {
  const { trust, scope, fileTools, writeCode, timeout, limits, imports } = options;
  const storage = typeof options.storage === "function" ? options.storage() : options.storage;
  return {
    parentCall,
    ...(trust === undefined ? {} : { trust }),
    ...(scope === undefined ? {} : { scope }),
    ...(fileTools === undefined ? {} : { fileTools }),
    ...(writeCode === undefined ? {} : { writeCode }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(limits === undefined ? {} : { limits }),
    ...(imports === undefined ? {} : { imports }),
    ...(storage === "parent" ? {} : { storage }),
  };
}

/** Reports how far it is to the listeners of the call. */
async function reportProgress(run: AgentRun, { report }: ToolContext): Promise<void> {
  let total = 0;
  for await (const event of run) {
    if (event.taskId !== run.taskId) continue;
    if (event.type === "task-started") total = event.maxSteps;
    else if (event.type === "step-started" && event.step !== null) {
      report({ progress: event.step, total, message: `Step ${String(event.step)}` });
    }
  }
}
