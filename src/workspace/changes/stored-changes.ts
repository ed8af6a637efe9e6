import { z } from "zod";

import {
  encodeJson,
  listJson,
  listKeys,
  readJson,
  StorageReadError,
  type StorageBackend,
} from "../../storage/index.js";
import { recordsAsExpected, type ExpectedVersions } from "../expected-versions.js";
import { FileRecord } from "../file-table.js";
import { isRecordingId } from "./recording-id.js";

const PREFIX = "changes/";

/** How many recordings are kept: the oldest go when another one begins. */
const MOST_KEPT = 20;

/** How many of those that are open outlive younger ones: what is recorded in the course of a task must not end its recording. */
const MOST_OPEN = 10;

const Info = z.object({
  beganAt: z.iso.datetime(),
  /** `open` while files may still be added to it. */
  state: z.enum(["open", "done", "undone"]),
});
export type RecordingInfo = z.infer<typeof Info>;

/** What is stored of a file that was changed, beside the bytes that it had. */
export const StoredChange = z.object({
  /** The file as it was; null where there was none. */
  before: FileRecord.nullable(),
  /** The version that it was left in; null where it was deleted, absent until the recording is done. */
  after: z.string().nullable().optional(),
});
export type StoredChange = z.infer<typeof StoredChange>;

export type Entries = Map<string, Uint8Array | null>;

/** Where one recording keeps what files held before they were changed. */
export class StoredChanges {
  readonly id: string;
  readonly #storage: StorageBackend;

  constructor(storage: StorageBackend, id: string) {
    this.#storage = storage;
    this.id = id;
  }

  /** Undefined where there is no such recording. @throws {StorageReadError} */
  info(): Promise<RecordingInfo | undefined> {
    return readJson(this.#storage, this.#infoKey, Info);
  }

  /** By path, those that can be read. */
  async changes(): Promise<ReadonlyMap<string, StoredChange>> {
    return (await listJson(this.#storage, { prefix: this.#indexPrefix, schema: StoredChange })).records;
  }

  /** Undefined for a file that was not changed. @throws {StorageReadError} */
  change(path: string): Promise<StoredChange | undefined> {
    return readJson(this.#storage, this.#indexPrefix + path, StoredChange);
  }

  /** That what a file held is not there, though it should be. */
  lost(path: string): StorageReadError {
    return new StorageReadError(this.#dataPrefix + path, "it is gone");
  }

  /** What the file held; undefined where that cannot be read. */
  image(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#storage.get(this.#dataPrefix + path);
  }

  infoEntry(info: RecordingInfo): Entries {
    return new Map([[this.#infoKey, encodeJson(info)]]);
  }

  changeEntry(path: string, change: StoredChange): Entries {
    const { before, after } = change;
    const kept = before === null ? null : { ...before };
    return new Map([
      [this.#indexPrefix + path, encodeJson(after === undefined ? { before: kept } : { before: kept, after })],
    ]);
  }

  /** Takes away what is kept of a file that was not there at first, and is not there any more. */
  forgottenEntry(path: string): Entries {
    return new Map([[this.#indexPrefix + path, null]]);
  }

  imageEntry(path: string, image: Uint8Array | null): Entries {
    return new Map([[this.#dataPrefix + path, image]]);
  }

  /** For `ifUnchanged` of a write. @throws {WorkspaceConflictError} when a file is in another version. */
  asExpected(versions: ExpectedVersions): Promise<ReadonlyMap<string, Uint8Array | null>> {
    return recordsAsExpected(this.#storage, versions);
  }

  write(entries: Entries): Promise<void> {
    return this.#storage.write(entries);
  }

  async delete(): Promise<void> {
    const keys = await listKeys(this.#storage, `${PREFIX}${this.id}/`);
    await this.#storage.write(new Map(keys.map((key) => [key, null])));
  }

  get #infoKey(): string {
    return `${PREFIX}${this.id}/info`;
  }

  get #indexPrefix(): string {
    return `${PREFIX}${this.id}/index/`;
  }

  get #dataPrefix(): string {
    return `${PREFIX}${this.id}/data/`;
  }
}

interface KeptRecording {
  readonly id: string;
  readonly info: RecordingInfo;
}

/** The recordings that are kept, the newest first. */
export async function keptRecordings(storage: StorageBackend): Promise<readonly KeptRecording[]> {
  return recordingsAmong(storage, await listKeys(storage, PREFIX));
}

/** What a write takes away to make room for one more recording. */
export async function entriesOfOldRecordings(storage: StorageBackend): Promise<Entries> {
  const keys = await listKeys(storage, PREFIX);
  const kept = await recordingsAmong(storage, keys);
  const open = kept.filter(({ info }) => info.state === "open").slice(0, MOST_OPEN);
  const others = kept.filter((recording) => !open.includes(recording));
  const old = others.slice(MOST_KEPT - 1 - open.length).map(({ id }) => `${PREFIX}${id}/`);
  return new Map(keys.filter((key) => old.some((prefix) => key.startsWith(prefix))).map((key) => [key, null]));
}

async function recordingsAmong(storage: StorageBackend, keys: readonly string[]): Promise<readonly KeptRecording[]> {
  const ids = keys.flatMap((key) => (key.endsWith("/info") ? [key.slice(PREFIX.length, -"/info".length)] : []));
  const found = await Promise.all(
    ids
      .filter(isRecordingId)
      .map(async (id) => ({ id, info: await new StoredChanges(storage, id).info().catch(() => undefined) })),
  );
  return found
    .flatMap(({ id, info }) => (info === undefined ? [] : [{ id, info }]))
    .toSorted((one, other) => other.info.beganAt.localeCompare(one.info.beganAt));
}
