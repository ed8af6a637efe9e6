/** Something that only one page of this origin does at a time, for as long as the lock is held. */
export interface ExclusiveLock {
  /** Resolves when another one can have it. */
  readonly release: () => Promise<void>;
}

/** What a browser has no locks for: nobody can tell, and nobody is stopped. */
const NO_LOCK: ExclusiveLock = { release: () => Promise.resolve() };

/**
 * Takes a lock that the tabs of this origin share; it goes with its tab. Where the browser has no locks for this page (an
 * opaque origin, an address without TLS) everybody gets one.
 *
 * @returns null when it is held already, here or in another tab; with `wait` it is waited for.
 */
export async function takeLock(name: string, { wait = false } = {}): Promise<ExclusiveLock | null> {
  const locks = locksHere();
  if (locks === null) return NO_LOCK;
  return new Promise<ExclusiveLock | null>((resolve) => {
    const released = locks
      .request(name, { ifAvailable: !wait }, (lock) => {
        if (lock === null) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => {
          resolve({
            release: () => {
              release();
              return released;
            },
          });
        });
      })
      // Pages of an opaque origin are refused.
      .catch(() => {
        resolve(NO_LOCK);
      });
  });
}

/** Names of the locks that are held in this tab or another one, by what follows the prefix. */
export async function heldLocks(prefix: string): Promise<ReadonlySet<string>> {
  try {
    const { held = [] } = (await locksHere()?.query()) ?? {};
    return new Set(held.flatMap(({ name = "" }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
  } catch {
    return new Set();
  }
}

function locksHere(): LockManager | null {
  return typeof navigator === "undefined" || !("locks" in navigator) ? null : navigator.locks;
}
