import type { AgentKind } from "../work/agent-kind.js";
import type { EventLog } from "../work/event-log.js";
import type { SkillLearning } from "../learning/skill-learning.js";
import type { RunningTask } from "../work/running-task.js";
import type { LoopSetup } from "./start-task.js";
import { resumedTask } from "./take-up.js";
import { TaskLoop } from "./task-loop.js";

/** The loop of a task, with what keeps it; loaded when the first task begins. */
export async function openLoop(
  task: string,
  log: EventLog,
  { tasks, saved, learns, ...setup }: LoopSetup,
): Promise<TaskLoop> {
  const learning = learns === null ? null : await openLearning(learns, setup.kind, { isResumed: saved !== null });
  const resumed = saved === null ? null : resumedTask(saved);
  const recorder = (await tasks?.record(log.taskId)) ?? null;
  void recorder?.lock(resumed === null ? undefined : { started: resumed.started, newest: resumed.newest });
  return new TaskLoop(task, log, { ...setup, resumed, recorder, learning });
}

/** Loaded with the first task of an agent that learns. */
async function openLearning(
  running: RunningTask,
  kind: AgentKind,
  options: { readonly isResumed: boolean },
): Promise<SkillLearning> {
  const { SkillLearning } = await import("../learning/skill-learning.js");
  const learning = new SkillLearning(running, kind, options);
  kind.observeTools?.(learning.observe);
  return learning;
}
