import type { Problem, SourceFile } from "../../protocol/index.js";
import { decodeText, listKeys, StorageReadError, type StorageBackend } from "../../storage/index.js";

/** Where tool files lie in the storage. */
export const TOOL_PREFIX = "tools/";

export interface StoredToolFiles {
  /** In the order of their names. */
  readonly sources: readonly SourceFile[];
  /** One for each file that could not be read as text. */
  readonly problems: readonly Problem[];
}

/** The tool files that the storage holds: `tools/*.yaml`, without sub-folders. @throws {StorageError} when it cannot be reached. */
export async function readToolFiles(storage: StorageBackend): Promise<StoredToolFiles> {
  const keys = (await listKeys(storage, TOOL_PREFIX)).filter((key) =>
    /^[^/]+\.yaml$/.test(key.slice(TOOL_PREFIX.length)),
  );
  const sources: SourceFile[] = [];
  const problems: Problem[] = [];
  // Asked for at once, since a backend may then read them in one go.
  const records = await Promise.allSettled(keys.map((key) => storage.get(key)));
  keys.forEach((file, index) => {
    const record = records[index];
    if (record?.status === "rejected") problems.push(damageOf(record.reason));
    if (record?.status !== "fulfilled" || record.value === undefined) return;
    const text = decodeText(record.value);
    if (text === null) problems.push(new StorageReadError(file, "it is not UTF-8 text").toProblem());
    else sources.push({ file, text });
  });
  return { sources, problems };
}

function damageOf(error: unknown): Problem {
  if (!(error instanceof StorageReadError)) throw error;
  return error.toProblem();
}
