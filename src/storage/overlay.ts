import { isSameRecord, type StorageBackend, type StorageWriteOptions } from "./backend.js";
import { StorageClosedError, StorageConflictError } from "./errors.js";
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
  /** Settles with the last write that depends on what is there. */
  #checked: Promise<unknown> | undefined;
  #closed = false;

  constructor(below: StorageBackend, prefixes: readonly string[], options: { readonly limit?: number }) {
    this.#own = memoryStorage(options);
    this.#below = below;
    this.#prefixes = prefixes;
  }

  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#inOrder(() => (this.#isBelow(key) ? this.#below.get(key) : this.#own.get(key)));
  }

  write(
    entries: ReadonlyMap<string, Uint8Array | null>,
    { ifUnchanged = new Map() }: StorageWriteOptions = {},
  ): Promise<void> {
    if (ifUnchanged.size === 0) return this.#inOrder(() => this.#put(entries, ifUnchanged));
    const written = this.#inOrder(async () => {
      const below = [...ifUnchanged].filter(([key]) => this.#isBelow(key));
      await this.#checkBelow(below);
      const own = new Map(ifUnchanged);
      for (const [key] of below) own.delete(key);
      await this.#put(entries, own);
    });
    this.#checked = written.catch(() => undefined);
    return written;
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    yield* await this.#inOrder(() => this.#list(prefix));
  }

  close(): void {
    this.#closed = true;
  }

  /** Whether a write happens may take the store below a while to answer; what is issued meanwhile sees what came of it. */
  async #inOrder<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StorageClosedError("overlay");
    return await (this.#checked === undefined ? work() : this.#checked.then(work));
  }

  async #checkBelow(expected: readonly (readonly [key: string, bytes: Uint8Array | null])[]): Promise<void> {
    const found = await Promise.all(expected.map(([key]) => this.#below.get(key)));
    for (const [index, [key, bytes]] of expected.entries()) {
      const record = found[index] ?? null;
      if (!isSameRecord(record, bytes)) throw new StorageConflictError(key, record);
    }
  }

  async #put(
    entries: ReadonlyMap<string, Uint8Array | null>,
    ifUnchanged: ReadonlyMap<string, Uint8Array | null>,
  ): Promise<void> {
    const written = this.#own.write(entries, { ifUnchanged });
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

  async #list(prefix: string): Promise<string[]> {
    const keys = new Set<string>();
    for (const seen of this.#prefixes) {
      const wanted = seen.startsWith(prefix) ? seen : prefix;
      if (!wanted.startsWith(seen)) continue;
      for await (const key of this.#below.keys(wanted)) if (this.#isBelow(key)) keys.add(key);
    }
    // Last: what is written meanwhile is in one of the two.
    for await (const key of this.#own.keys(prefix)) keys.add(key);
    return [...keys].sort();
  }

  #isBelow(key: string): boolean {
    return !this.#changed.has(key) && this.#prefixes.some((prefix) => key.startsWith(prefix));
  }
}
