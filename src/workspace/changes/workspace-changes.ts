import { Slices, type TrustLevel } from "../../protocol/index.js";
import type { StorageBackend } from "../../storage/index.js";
import { WorkspaceNotFoundError } from "../errors.js";
import { asConflict } from "../expected-versions.js";
import { FileTable, type FileRecord, type SizeLimits } from "../file-table.js";
import type { PutOptions } from "../write-options.js";
import type { StoredFile } from "./change-recording.js";
import { isRecordingId } from "./recording-id.js";
import { StoredChanges, type Entries, type RecordingInfo, type StoredChange } from "./stored-changes.js";

/** A file that was added, changed or deleted. */
export interface ChangedFile {
  /** Relative to `/workspace`. */
  readonly path: string;
  readonly kind: "added" | "changed" | "deleted";
}

/** What a file held before and after; null where it was not there. */
export interface FileVersions {
  readonly before: Uint8Array<ArrayBuffer> | null;
  readonly after: Uint8Array<ArrayBuffer> | null;
}

/** What changes need of their workspace. */
export interface ChangedWorkspace {
  readonly limits: SizeLimits;
  /** Of one file, in one look. */
  readonly read: (path: string) => Promise<StoredFile>;
  /** In a turn: as fresh as it can be of `paths`. */
  readonly records: (paths: Iterable<string>) => Promise<ReadonlyMap<string, FileRecord>>;
  readonly inTurn: <T>(step: () => Promise<T>) => Promise<T>;
  /** In a turn: all or none. */
  readonly put: (files: ReadonlyMap<string, Uint8Array | null>, options: PutOptions) => Promise<void>;
}

/** Bytes that are compared in one go. */
const COMPARED_AT_ONCE = 1 << 20;

/**
 * What was changed in `/workspace` in the course of one recording, and can be undone as one: see
 * `session.openChild({ recordsChanges })`. The storage keeps the latest 20, with what the files held before.
 */
export class WorkspaceChanges {
  readonly #stored: StoredChanges;
  readonly #workspace: ChangedWorkspace;
  #info: RecordingInfo;

  /** @internal Use `workspace.changes()`. */
  constructor(stored: StoredChanges, { info, workspace }: { info: RecordingInfo; workspace: ChangedWorkspace }) {
    this.#stored = stored;
    this.#info = info;
    this.#workspace = workspace;
  }

  get id(): string {
    return this.#stored.id;
  }

  get beganAt(): Date {
    return new Date(this.#info.beganAt);
  }

  /** `open` while more may be recorded, `undone` after {@link undo}. */
  get state(): "open" | "done" | "undone" {
    return this.#info.state;
  }

  /** By path. A file that holds in the end what it held in the beginning is not among them. */
  async files(): Promise<readonly ChangedFile[]> {
    const files: ChangedFile[] = [];
    const slices = new Slices();
    for (const path of (await this.#stored.changes()).keys()) {
      await slices.rest();
      const { before, after } = await this.#versions(path);
      if (await isSame(before, after, slices)) continue;
      files.push({ path, kind: before === null ? "added" : after === null ? "deleted" : "changed" });
    }
    return files;
  }

  /**
   * What a file held before the changes, and holds now; after {@link undo}, what it holds now, and held before that.
   *
   * @throws {WorkspaceNotFoundError} for one that was not changed.
   */
  async read(path: string): Promise<FileVersions> {
    if ((await this.#stored.change(path)) === undefined) throw new WorkspaceNotFoundError(path);
    return this.#versions(path);
  }

  async #versions(path: string): Promise<FileVersions> {
    const [image, { content }] = await Promise.all([this.#stored.image(path), this.#workspace.read(path)]);
    const kept = image ?? null;
    return this.state === "undone" ? { before: content, after: kept } : { before: kept, after: content };
  }

  /**
   * Puts all files back to what they held before, and keeps what they hold now for {@link redo}. Undone changes stay as they
   * are.
   *
   * @throws {WorkspaceConflictError} when something else has changed one of the files since. Nothing is written then.
   * @throws {WorkspaceFullError}
   */
  async undo(): Promise<void> {
    if (this.state !== "undone") await this.#swap("undone");
  }

  /** Makes the changes again that were undone. @throws {WorkspaceConflictError} as {@link undo}. @throws {WorkspaceFullError} */
  async redo(): Promise<void> {
    if (this.state === "undone") await this.#swap("done");
  }

  /** @internal Nothing more is recorded: notes what each file was left in, so that a later change is told from these. */
  async finish(): Promise<void> {
    await this.#workspace.inTurn(async () => {
      const entries: Entries = new Map(this.#stored.infoEntry({ ...this.#info, state: "done" }));
      const slices = new Slices();
      for (const [path, change] of await this.#stored.changes()) {
        await slices.rest();
        const { record } = await this.#workspace.read(path);
        addAll(entries, this.#stored.changeEntry(path, { ...change, after: record?.version ?? null }));
      }
      await this.#stored.write(entries);
    });
    this.#info = { ...this.#info, state: "done" };
  }

  /** Forgets the changes; files stay as they are. */
  async delete(): Promise<void> {
    await this.#stored.delete();
  }

  async #swap(state: "done" | "undone"): Promise<void> {
    const { inTurn, read, put, records, limits } = this.#workspace;
    await inTurn(async () => {
      const changes = await this.#stored.changes();
      const files = new Map<string, Uint8Array | null>();
      const now = new Map<string, StoredFile>();
      const expected = new Map<string, string | null>();
      const slices = new Slices();
      for (const [path, { before, after }] of changes) {
        await slices.rest();
        const [file, image] = await Promise.all([read(path), this.#stored.image(path)]);
        now.set(path, file);
        if (before !== null && image === undefined) throw this.#stored.lost(path);
        files.set(path, before === null ? null : (image ?? null));
        expected.set(path, after === undefined ? (file.record?.version ?? null) : after);
      }
      const ifUnchanged = await this.#stored.asExpected(expected);
      checkRoom(files, new FileTable(await records(files.keys()), limits));
      const trustOf = (path: string): TrustLevel | undefined => changes.get(path)?.before?.trust;
      const more = (written: ReadonlyMap<string, FileRecord>): Promise<Entries> =>
        this.#swapped(state, { changes, now, written });
      await put(files, { trustOf, ifUnchanged, more }).catch((error: unknown) => {
        throw asConflict(error, expected);
      });
    });
    this.#info = { ...this.#info, state };
  }

  async #swapped(
    state: "done" | "undone",
    {
      changes,
      now,
      written,
    }: {
      readonly changes: ReadonlyMap<string, StoredChange>;
      readonly now: ReadonlyMap<string, StoredFile>;
      readonly written: ReadonlyMap<string, FileRecord>;
    },
  ): Promise<Entries> {
    const entries: Entries = new Map(this.#stored.infoEntry({ ...this.#info, state }));
    const slices = new Slices();
    for (const path of changes.keys()) {
      await slices.rest();
      const { record, content } = now.get(path) ?? { record: null, content: null };
      addAll(entries, this.#stored.changeEntry(path, { before: record, after: written.get(path)?.version ?? null }));
      addAll(entries, this.#stored.imageEntry(path, record === null ? null : content));
    }
    return entries;
  }
}

/** Deletions first: what was a file may be a folder now. @throws {WorkspaceFullError} @throws {WorkspacePathError} */
function checkRoom(files: ReadonlyMap<string, Uint8Array | null>, table: FileTable): void {
  for (const [path, content] of files) if (content === null) table.remove(path);
  for (const [path, content] of files) if (content !== null) table.put(path, content.byteLength);
}

/** The recording of that id, where one is kept. @throws {StorageReadError} */
export async function openChanges(
  storage: StorageBackend,
  id: string,
  workspace: ChangedWorkspace,
): Promise<WorkspaceChanges | undefined> {
  const stored = new StoredChanges(storage, id);
  const info = isRecordingId(id) ? await stored.info() : undefined;
  return info === undefined ? undefined : new WorkspaceChanges(stored, { info, workspace });
}

function addAll(entries: Entries, more: Entries): void {
  for (const [key, bytes] of more) entries.set(key, bytes);
}

async function isSame(one: Uint8Array | null, other: Uint8Array | null, slices: Slices): Promise<boolean> {
  if (one === null || other === null || one.byteLength !== other.byteLength) return one === other;
  for (let from = 0; from < one.byteLength; from += COMPARED_AT_ONCE) {
    await slices.rest();
    const to = Math.min(one.byteLength, from + COMPARED_AT_ONCE);
    for (let at = from; at < to; at += 1) if (one[at] !== other[at]) return false;
  }
  return true;
}
