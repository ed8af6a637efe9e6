/** The artifact that a task of an agent for code leaves behind. */
export function diffName(taskId: string): string {
  return `diffs/${taskId}.diff`;
}
