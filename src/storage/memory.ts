import { optionCheck } from "../options/index.js";
import { Slices } from "../protocol/index.js";
import { isSameRecord, sizeOf, type StorageBackend, type StorageWriteOptions } from "./backend.js";
import { StorageClosedError, StorageConflictError, StorageFullError, StorageWriteError } from "./errors.js";

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

/** Bytes that are copied in one go: some milliseconds. */
const COPIED_AT_ONCE = 2 ** 22;

class MemoryStorage implements StorageBackend {
  /** Never altered. Large bytes that are being written are still the writer's. */
  readonly #records = new Map<string, Uint8Array<ArrayBuffer>>();
  /** The copies that are made of those. */
  readonly #copies = new WeakMap<Uint8Array, Promise<Uint8Array<ArrayBuffer>>>();
  readonly #limit: number;
  #size = 0;
  #closed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#answer(() => {
      const record = this.#records.get(key);
      return record === undefined || record.byteLength <= COPIED_AT_ONCE ? record?.slice() : this.#copyOf(record);
    });
  }

  write(
    entries: ReadonlyMap<string, Uint8Array | null>,
    { ifUnchanged = new Map() }: StorageWriteOptions = {},
  ): Promise<void> {
    return this.#answer(() => {
      for (const [key, expected] of ifUnchanged) {
        const found = this.#records.get(key) ?? null;
        if (!isSameRecord(found, expected)) throw new StorageConflictError(key, found?.slice() ?? null);
      }
      const size = this.#sizeAfter(entries);
      if (size > this.#limit && size > this.#size) throw new StorageFullError(sizeOf(entries));
      const copies = Array.from(
        entries,
        ([key, bytes]) => [key, bytes === null ? null : recordOf(key, bytes)] as const,
      );
      for (const [key, bytes] of copies) {
        if (bytes === null) this.#records.delete(key);
        else this.#records.set(key, bytes);
      }
      this.#size = size;
      return this.#own(copies);
    });
  }

  /** Takes copies of what is the writer's. What is stored is there at once all the same. */
  async #own(entries: readonly (readonly [key: string, bytes: Uint8Array<ArrayBuffer> | null])[]): Promise<void> {
    await Promise.all(
      entries.map(async ([key, bytes]) => {
        if (bytes === null || bytes.byteLength <= COPIED_AT_ONCE) return;
        const copying = copyInSlices(bytes);
        this.#copies.set(bytes, copying);
        const copied = await copying;
        if (this.#records.get(key) === bytes) this.#records.set(key, copied);
      }),
    );
  }

  async #copyOf(record: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    return await copyInSlices((await this.#copies.get(record)) ?? record);
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
  #answer<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      if (this.#closed) throw new StorageClosedError("memory");
      resolve(work());
    });
  }
}

async function copyInSlices(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const slices = new Slices();
  const copied = new Uint8Array(bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += COPIED_AT_ONCE) {
    copied.set(bytes.subarray(at, at + COPIED_AT_ONCE), at);
    await slices.rest();
  }
  return copied;
}

/** Large bytes as they are, a copy of others. */
function recordOf(key: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteLength > COPIED_AT_ONCE && buffer instanceof ArrayBuffer)
    return new Uint8Array(buffer, byteOffset, byteLength);
  try {
    return new Uint8Array(bytes);
  } catch (cause) {
    throw new StorageWriteError(key, "its bytes were transferred away", { cause });
  }
}
