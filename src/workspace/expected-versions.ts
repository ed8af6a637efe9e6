import { decodeJson, StorageConflictError, type StorageBackend } from "../storage/index.js";
import { WorkspaceConflictError } from "./errors.js";
import { FileRecord, INDEX_PREFIX } from "./file-table.js";

/** The version that each file must have for a write to happen; null where there must be none. */
export type ExpectedVersions = ReadonlyMap<string, string | null>;

/**
 * Compares the stored versions with those that are expected.
 *
 * @returns the records as they are, for `ifUnchanged` of the write: another tab may still write before it does.
 * @throws {WorkspaceConflictError} for the first that differs. @throws {StorageReadError}
 */
export async function recordsAsExpected(
  storage: StorageBackend,
  expected: ExpectedVersions,
): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const keys = Array.from(expected.keys(), (path) => INDEX_PREFIX + path);
  const stored = await Promise.all(keys.map((key) => storage.get(key)));
  const records = new Map(keys.map((key, index) => [key, stored[index] ?? null]));
  for (const [path, wanted] of expected) {
    const found = versionIn(INDEX_PREFIX + path, records.get(INDEX_PREFIX + path) ?? null);
    if (found !== wanted) throw new WorkspaceConflictError(path, { expected: wanted, found });
  }
  return records;
}

/** What a write failed with, in terms of files where another tab was faster. */
export function asConflict(error: unknown, expected: ExpectedVersions): unknown {
  if (!(error instanceof StorageConflictError)) return error;
  const path = error.path.slice(INDEX_PREFIX.length);
  const found = versionIn(error.path, error.found);
  return new WorkspaceConflictError(path, { expected: expected.get(path) ?? null, found });
}

function versionIn(key: string, record: Uint8Array | null): string | null {
  return record === null ? null : decodeJson(key, record, FileRecord).version;
}
