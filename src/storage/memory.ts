import { optionCheck } from "../options/index.js";
import { sizeOf, type StorageBackend } from "./backend.js";
import { StorageClosedError, StorageFullError, StorageWriteError } from "./errors.js";

/** How much is kept. */
export interface MemoryStorageOptions {
  /** Room for values, in bytes. Default: no limit. */
  limit?: number;
}

const checkOptions = optionCheck<MemoryStorageOptions>("memoryStorage", { limit: "number?" });

/** A store that lives as long as the page: for tests, private tabs, and sessions nobody wants to keep. */
export function memoryStorage(options: MemoryStorageOptions = {}): StorageBackend {
  checkOptions(options);
  return new MemoryStorage(options.limit ?? Infinity);
}

class MemoryStorage implements StorageBackend {
  readonly #records = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #limit: number;
  #size = 0;
  #closed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#answer(() => this.#records.get(key)?.slice());
  }

  write(entries: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    return this.#answer(() => {
      const size = this.#sizeAfter(entries);
      if (size > this.#limit && size > this.#size) throw new StorageFullError(sizeOf(entries));
      const copies = Array.from(entries, ([key, bytes]) => [key, bytes === null ? null : copy(key, bytes)] as const);
      for (const [key, bytes] of copies) {
        if (bytes === null) this.#records.delete(key);
        else this.#records.set(key, bytes);
      }
      this.#size = size;
    });
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    yield* await this.#answer(() => [...this.#records.keys()].filter((key) => key.startsWith(prefix)).sort());
  }

  close(): void {
    this.#closed = true;
  }

  #sizeAfter(entries: ReadonlyMap<string, Uint8Array | null>): number {
    let size = this.#size;
    for (const [key, bytes] of entries) size += (bytes?.byteLength ?? 0) - (this.#records.get(key)?.byteLength ?? 0);
    return size;
  }

  // Runs at once, so that calls take effect in the order in which they were made.
  #answer<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      if (this.#closed) throw new StorageClosedError("memory");
      resolve(work());
    });
  }
}

function copy(key: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new StorageWriteError(key, "its bytes were transferred away", { cause });
  }
}
