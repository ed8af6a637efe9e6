import { heldLocks, takeLock, type ExclusiveLock } from "../../storage/index.js";

/**
 * Says to other tabs of this origin that a task runs here, for as long as it does: it is not to be taken up or deleted
 * meanwhile. Where the browser has no locks for this page, nobody is stopped.
 */
export type TaskLock = ExclusiveLock;

/** @returns null when the task runs already, here or in another tab. */
export function lockTask(taskId: string): Promise<TaskLock | null> {
  return takeLock(PREFIX + taskId);
}

/** Ids of the tasks that run in this tab or another one. */
export function runningTasks(): Promise<ReadonlySet<string>> {
  return heldLocks(PREFIX);
}

const PREFIX = "vitrine-task:";
