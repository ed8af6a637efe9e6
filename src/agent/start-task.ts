import type { AgentRun } from "./agent-run.js";
import { AgentOptionsError } from "./errors.js";
import type { EventLog } from "./event-log.js";
import type { SavedTask } from "./saved/saved-task.js";
import type { TaskStore } from "./saved/task-store.js";
import { resumedTask } from "./take-up.js";
import type { TaskInside } from "./running-task.js";
import { TaskLoop, type TaskLoopOptions } from "./task-loop.js";

export interface TaskOptions {
  /** Stops the task: the reply that is being streamed, or the run. What was done until then is kept. */
  readonly signal?: AbortSignal;
  /** The task that this one continues, a saved one perhaps: the model knows what was said and done in it. */
  readonly after?: Pick<AgentRun, "taskId" | "conversation">;
  /** Where the task stands, when the agent works as a tool of another one; `agentTool` says it. Default: it stands alone. */
  readonly inside?: TaskInside | undefined;
}

/** What an agent starts a task with. */
export type TaskSetup = Omit<TaskLoopOptions, "signal" | "after" | "resumed" | "recorder"> & {
  /** Where the task is kept as it goes on. */
  readonly tasks: TaskStore | undefined;
};

/**
 * Starts a task at once.
 *
 * @throws {AgentOptionsError} when the task is empty.
 */
export function startTask(
  task: string,
  log: EventLog,
  { signal = new AbortController().signal, after, tasks, ...setup }: TaskSetup & Omit<TaskOptions, "inside">,
): AgentRun {
  if (task.trim() === "") throw new AgentOptionsError("task", "is empty");
  const before = after === undefined ? null : { taskId: after.taskId, items: after.conversation };
  const recorder = tasks?.record(log.taskId) ?? null;
  void recorder?.lock();
  const loop = new TaskLoop(task, log, { ...setup, signal, after: before, resumed: null, recorder });
  return runOf(loop, log);
}

/**
 * Lets a saved task go on, at once.
 *
 * @throws {TaskNotResumableError} for one that has its answer, and for one of another kind of agent.
 */
export function takeUpTask(
  saved: SavedTask,
  log: EventLog,
  { signal = new AbortController().signal, tasks, ...setup }: TaskSetup & Omit<TaskOptions, "after" | "inside">,
): AgentRun {
  const resumed = resumedTask(saved, setup.kind.name);
  const { task, after } = saved;
  setup.meter.resume(saved.usage);
  const recorder = tasks?.record(log.taskId) ?? null;
  void recorder?.lock(resumed.started);
  const before = after === null ? null : { taskId: after, items: saved.before };
  return runOf(new TaskLoop(task, log, { ...setup, signal, after: before, resumed, recorder }), log);
}

function runOf(loop: TaskLoop, log: EventLog): AgentRun {
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
