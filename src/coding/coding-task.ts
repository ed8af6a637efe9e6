/** Steps of a task: more than for others, since to find a mistake takes many looks. */
export const CODING_STEPS = 40;

/** The name of the artifact in which a task of a coding agent leaves its difference. */
export function taskDiffName(taskId: string): string {
  return `diffs/${taskId}.diff`;
}
