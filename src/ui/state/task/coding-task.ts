import { CODING_STEPS } from "../../../coding/index.js";
import { DEFAULT_LIMITS, type TaskLimits } from "../session/task-limits.js";

/** What a task of an agent for code may use: where the reader has chosen no other number of steps, as many as it has elsewhere. */
export function codingLimits(limits: TaskLimits): TaskLimits {
  return limits.maxSteps === DEFAULT_LIMITS.maxSteps ? { ...limits, maxSteps: CODING_STEPS } : limits;
}
