/**
 * Says to other tabs of this origin that a task runs here, for as long as it does: it is not to be taken up or deleted
 * meanwhile. Where the browser has no locks for this page (an opaque origin), nobody can tell, and nobody is stopped.
 */
export interface TaskLock {
  release(): void;
}

/** @returns null when the task runs already, here or in another tab. */
export async function lockTask(taskId: string): Promise<TaskLock | null> {
  const locks = locksHere();
  if (locks === null) return NO_LOCK;
  return new Promise<TaskLock | null>((resolve) => {
    locks
      .request(nameOf(taskId), { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => {
          resolve({ release });
        });
      })
      // Pages of an opaque origin are refused.
      .catch(() => {
        resolve(NO_LOCK);
      });
  });
}

/** Ids of the tasks that run in this tab or another one. */
export async function runningTasks(): Promise<ReadonlySet<string>> {
  try {
    const { held = [] } = (await locksHere()?.query()) ?? {};
    return new Set(held.flatMap(({ name = "" }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
  } catch {
    return new Set();
  }
}

const PREFIX = "vitrine-task:";
const NO_LOCK: TaskLock = { release: () => undefined };

function nameOf(taskId: string): string {
  return PREFIX + taskId;
}

function locksHere(): LockManager | null {
  return typeof navigator === "undefined" || !("locks" in navigator) ? null : navigator.locks;
}
