import type { CachedPackageFile, PackageCache } from "./sources/package-cache.js";

/**
 * The files of packages that are kept for the next time: for all sessions, and all pages of the site. The browser's Cache
 * Storage holds up to 500 MB of them, and those that came first go first. The hash of a file is checked at each use.
 */
class PackagesCache {
  #cache: PackageCache | undefined;

  /**
   * Whether files are there on the next visit. False where the browser has no Cache Storage for this page (plain HTTP,
   * some private windows), or has refused it: files are then kept for as long as the page lives.
   */
  get persistent(): boolean {
    return this.#cache?.persistent ?? "caches" in globalThis;
  }

  /** In the order in which they came. */
  async list(): Promise<readonly CachedPackageFile[]> {
    return await (await this.#opened()).list();
  }

  /** Forgets one file. Sessions that have it installed keep it. */
  async remove(sha256: string): Promise<void> {
    await (await this.#opened()).clear(sha256);
  }

  /** Forgets all files, and what is known of indexes. */
  async clear(): Promise<void> {
    await (await this.#opened()).clear();
  }

  async #opened(): Promise<PackageCache> {
    const { packageCache } = await import("./sources/package-cache.js");
    this.#cache = packageCache();
    return this.#cache;
  }
}

export type { PackagesCache };

export const packagesCache = new PackagesCache();
