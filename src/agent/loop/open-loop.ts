import type { AgentKind } from "../work/agent-kind.js";
import type { SkillLearning } from "../learning/skill-learning.js";
import type { Work } from "../work/work.js";
import type { SavedTask } from "../saved/saved-task.js";
import type { TaskStore } from "../saved/task-store.js";
import { resumedTask } from "./take-up.js";
import { TaskLoop, type TaskLoopOptions } from "./task-loop.js";

/** What an agent starts a task with. */
export type TaskSetup = Omit<TaskLoopOptions, "after" | "resumed" | "recorder" | "learning"> & {
  /** Whether the task may propose a skill at its end. */
  readonly learns: boolean;
  /** Where the task is kept as it goes on. */
  readonly tasks: TaskStore | undefined;
};

/** What the loop is opened with. */
export type LoopSetup = TaskSetup &
  Pick<TaskLoopOptions, "after"> & {
    /** The task, where it is one that goes on. */
    readonly saved: SavedTask | null;
  };

/** The loop of a task, with what keeps it; loaded when the first task begins. */
export async function openLoop(task: string, { tasks, saved, learns, ...setup }: LoopSetup): Promise<TaskLoop> {
  const { work, kind } = setup;
  const learning = learns ? await openLearning(work, kind, { isResumed: saved !== null }) : null;
  const resumed = saved === null ? null : resumedTask(saved);
  const recorder = (await tasks?.record(work.log.taskId)) ?? null;
  void recorder?.lock(resumed === null ? undefined : { started: resumed.started, newest: resumed.newest });
  return new TaskLoop(task, { ...setup, resumed, recorder, learning });
}

/** Loaded with the first task of an agent that learns. */
async function openLearning(
  work: Work,
  kind: AgentKind,
  options: { readonly isResumed: boolean },
): Promise<SkillLearning> {
  const { SkillLearning } = await import("../learning/skill-learning.js");
  const learning = new SkillLearning(work, kind, options);
  kind.observeTools?.(learning.observe);
  return learning;
}
