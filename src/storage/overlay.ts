import type { StorageBackend } from "./backend.js";
import { memoryStorage } from "./memory.js";

/**
 * A store that reads what another one holds and keeps what is written to itself, in memory: the other one never changes.
 * Closing it leaves the other one open.
 *
 * @param prefixes - beginnings of the keys that are seen of it; of all others nothing is there.
 * @param options - `limit`: room for what is written, in bytes. Default: no limit.
 */
export function overlayStorage(
  below: StorageBackend,
  prefixes: readonly string[],
  options: { readonly limit?: number } = {},
): StorageBackend {
  return new OverlayStorage(below, prefixes, options);
}

class OverlayStorage implements StorageBackend {
  readonly #below: StorageBackend;
  readonly #prefixes: readonly string[];
  readonly #own: StorageBackend;
  /** Keys that were written or deleted here. */
  readonly #changed = new Set<string>();

  constructor(below: StorageBackend, prefixes: readonly string[], options: { readonly limit?: number }) {
    this.#own = memoryStorage(options);
    this.#below = below;
    this.#prefixes = prefixes;
  }

  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#isBelow(key) ? this.#below.get(key) : this.#own.get(key);
  }

  async write(entries: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    const written = this.#own.write(entries);
    // At once: reads that are issued from here on see this write.
    const unchanged = [...entries.keys()].filter((key) => !this.#changed.has(key));
    for (const key of unchanged) this.#changed.add(key);
    try {
      await written;
    } catch (error) {
      for (const key of unchanged) this.#changed.delete(key);
      throw error;
    }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    const keys = new Set<string>();
    for (const seen of this.#prefixes) {
      const wanted = seen.startsWith(prefix) ? seen : prefix;
      if (!wanted.startsWith(seen)) continue;
      for await (const key of this.#below.keys(wanted)) if (this.#isBelow(key)) keys.add(key);
    }
    // Last: what is written meanwhile is in one of the two.
    for await (const key of this.#own.keys(prefix)) keys.add(key);
    yield* [...keys].sort();
  }

  close(): void {
    this.#own.close();
  }

  #isBelow(key: string): boolean {
    return !this.#changed.has(key) && this.#prefixes.some((prefix) => key.startsWith(prefix));
  }
}
