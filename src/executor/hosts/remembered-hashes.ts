const PREFIX = "vitrine/base-snapshot/";

/**
 * Hashes of base snapshots that this page made, in localStorage: a worker of the
 * page's origin, which may have run foreign code, reaches the cache with the
 * snapshot, but not this.
 */
export const rememberedHashes = {
  /** Undefined when there is none, or where the page may not store anything. */
  get(buildId: string): string | undefined {
    try {
      return localStorage.getItem(PREFIX + buildId) ?? undefined;
    } catch {
      return undefined;
    }
  },

  /** Keeps the hash of this build alone. False where the page may not store anything. */
  set(buildId: string, sha256: string): boolean {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
      localStorage.setItem(PREFIX + buildId, sha256);
      return true;
    } catch {
      return false;
    }
  },
};
