import type { AgentRun } from "./agent-run.js";
import { AgentOptionsError } from "./errors.js";
import type { EventLog } from "./event-log.js";
import type { TaskInside } from "./running-task.js";
import { TaskLoop, type TaskLoopOptions } from "./task-loop.js";

export interface TaskOptions {
  /** Stops the task: the reply that is being streamed, or the run. What was done until then is kept. */
  readonly signal?: AbortSignal;
  /** The task that this one continues: the model knows what was said and done in it. */
  readonly after?: AgentRun;
  /** Where the task stands, when the agent works as a tool of another one; `agentTool` says it. Default: it stands alone. */
  readonly inside?: TaskInside | undefined;
}

/**
 * Starts a task at once.
 *
 * @throws {AgentOptionsError} when the task is empty.
 */
export function startTask(
  task: string,
  log: EventLog,
  {
    signal = new AbortController().signal,
    after,
    ...options
  }: Omit<TaskLoopOptions, "signal" | "after"> & Omit<TaskOptions, "inside">,
): AgentRun {
  if (task.trim() === "") throw new AgentOptionsError("task", "is empty");
  const before = after === undefined ? null : { taskId: after.taskId, items: after.conversation };
  const loop = new TaskLoop(task, log, { ...options, signal, after: before });
  const result = loop.run();
  return {
    taskId: log.taskId,
    events: log.events,
    result,
    get conversation() {
      return loop.conversation;
    },
    say: (text) => {
      loop.say(text);
    },
    [Symbol.asyncIterator]: () => log.read(),
  };
}
