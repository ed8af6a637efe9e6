import type { EventLog } from "./event-log.js";
import type { LoopSetup } from "./start-task.js";
import { resumedTask } from "./take-up.js";
import { TaskLoop } from "./task-loop.js";

/** The loop of a task, with what keeps it; loaded when the first task begins. */
export async function openLoop(task: string, log: EventLog, { tasks, saved, ...setup }: LoopSetup): Promise<TaskLoop> {
  const resumed = saved === null ? null : resumedTask(saved);
  const recorder = (await tasks?.record(log.taskId)) ?? null;
  void recorder?.lock(resumed?.started);
  return new TaskLoop(task, log, { ...setup, resumed, recorder });
}
