/** Snapshots are kept under addresses that nothing can be fetched from. */
const CACHE = "vitrine-base-snapshot";
const BASE = "https://vitrine.invalid/base-snapshot/";

/** Snapshots that are kept: this build's, and that of another release in another tab. */
const KEPT = 2;

/** The snapshot that is kept for a build. Undefined when there is none, or where the browser keeps nothing. */
export async function cachedSnapshot(buildId: string): Promise<Blob | undefined> {
  if (!("caches" in globalThis)) return undefined;
  try {
    const cache = await caches.open(CACHE);
    return await (await cache.match(BASE + buildId))?.blob();
  } catch {
    // Private windows and opaque origins refuse the cache; the plain way is left.
    return undefined;
  }
}

/** Keeps a snapshot, and lets the oldest ones go. @throws when the browser refuses, for want of room for instance. */
export async function cacheSnapshot(buildId: string, snapshot: Blob): Promise<void> {
  if (!("caches" in globalThis)) return;
  const cache = await caches.open(CACHE);
  const others = (await cache.keys()).filter(({ url }) => url !== BASE + buildId);
  for (const old of others.slice(0, Math.max(0, others.length - KEPT + 1))) await cache.delete(old);
  await cache.put(BASE + buildId, new Response(snapshot));
}

/** Forgets the snapshot of a build. */
export async function dropSnapshot(buildId: string): Promise<void> {
  if ("caches" in globalThis) await (await caches.open(CACHE)).delete(BASE + buildId);
}
