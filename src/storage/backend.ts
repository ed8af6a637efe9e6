/** What must be so for a write to happen. */
export interface StorageWriteOptions {
  /**
   * What is there now, by key; null where nothing is. It is compared in the transaction of the write, so that what another
   * tab has changed since it was read is not written over. For small records, such as those of an index: all bytes are
   * compared.
   */
  readonly ifUnchanged?: ReadonlyMap<string, Uint8Array | null>;
}

/**
 * Where a session keeps its bytes. Backends store; they never parse.
 *
 * Every method may reject with a {@link StorageBlockedError} when the store
 * cannot be reached, and with a {@link StorageClosedError} after `close`.
 */
export interface StorageBackend {
  /**
   * `undefined` when nothing was ever written under `key`. Sees every write that was issued before it; reads issued in
   * the same tick see one state of the store. The bytes are the caller's own copy.
   *
   * @throws {StorageReadError} when the record is there and cannot be read.
   */
  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Writes all entries or none; `null` deletes. Writes take effect in the order in which they were issued. The bytes
   * must not be altered before the promise settles.
   *
   * @throws {StorageConflictError} when something else is there than `ifUnchanged` says. Nothing was written.
   * @throws {StorageFullError} with the old values still readable.
   * @throws {StorageWriteError} with the old values still readable.
   */
  write(entries: ReadonlyMap<string, Uint8Array | null>, options?: StorageWriteOptions): Promise<void>;
  /**
   * The keys that start with `prefix`, by their UTF-16 code units, so that a listing is the same on every backend.
   * What is written while the listing runs may or may not be in it.
   */
  keys(prefix: string): AsyncIterable<string>;
  /** Lets go of the store; what was issued before still completes. Closing twice is fine. */
  close(): void;
}

/** Bytes of all values of a write. */
export function sizeOf(entries: ReadonlyMap<string, Uint8Array | null>): number {
  let size = 0;
  for (const bytes of entries.values()) size += bytes?.byteLength ?? 0;
  return size;
}

/** Whether a record is what it is expected to be; null where there is none. */
export function isSameRecord(found: Uint8Array | null, expected: Uint8Array | null): boolean {
  if (found === null || expected === null) return found === expected;
  return found.byteLength === expected.byteLength && found.every((byte, at) => byte === expected[at]);
}
