import { DEFAULT_LIMITS, type TaskLimits } from "../session/task-limits.js";

/** Steps of a task of an agent for code, where the reader has not chosen another number: as many as it has elsewhere. */
const MOST_STEPS = 40;

/** The artifact that a task of an agent for code leaves behind. */
export function diffName(taskId: string): string {
  return `diffs/${taskId}.diff`;
}

/** What a task of an agent for code may use. */
export function codingLimits(limits: TaskLimits): TaskLimits {
  return limits.maxSteps === DEFAULT_LIMITS.maxSteps ? { ...limits, maxSteps: MOST_STEPS } : limits;
}
