import { Slices } from "../../protocol/index.js";
import type { StorageBackend } from "../../storage/index.js";
import type { FileRecord } from "../file-table.js";
import type { StoredFile } from "./change-recording.js";
import { entriesOfOldRecordings, StoredChanges, type Entries } from "./stored-changes.js";

interface Write {
  /** Null deletes. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  /** Of what is written, as it will be. */
  readonly records: ReadonlyMap<string, FileRecord>;
  readonly read: (path: string) => Promise<StoredFile>;
}

/**
 * What is to be stored with a write so that it can be undone by itself, under an id of its own. The recording is done with the
 * write: a page that is closed leaves both or neither.
 */
export async function recordedWrite(storage: StorageBackend, id: string, write: Write): Promise<Entries> {
  const stored = new StoredChanges(storage, id);
  const [info, old, before] = await Promise.all([
    stored.info(),
    entriesOfOldRecordings(storage),
    Promise.all(Array.from(write.files.keys(), async (path) => ({ path, ...(await write.read(path)) }))),
  ]);
  const entries: Entries = new Map([
    ...(info === undefined ? old : []),
    ...stored.infoEntry({ beganAt: new Date().toISOString(), state: "done" }),
  ]);
  const slices = new Slices();
  for (const { path, record, content } of before) {
    await slices.rest();
    const after = write.records.get(path)?.version ?? null;
    for (const [key, bytes] of stored.changeEntry(path, { before: record, after })) entries.set(key, bytes);
    for (const [key, bytes] of stored.imageEntry(path, record === null ? null : content)) entries.set(key, bytes);
  }
  return entries;
}
