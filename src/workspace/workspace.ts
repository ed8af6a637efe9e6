import { checkArgument } from "../options/index.js";
import { Slices, type Problem, type TrustLevel } from "../protocol/index.js";
import {
  ChangeListeners,
  hasRecord,
  ignoreDamage,
  listJson,
  readJson,
  pathFault,
  type StorageBackend,
} from "../storage/index.js";
import type { ChangeRecording, StoredFile } from "./changes/change-recording.js";
import type { Entries } from "./changes/stored-changes.js";
import type { WorkspaceChanges } from "./changes/workspace-changes.js";
import { WorkspaceNotFoundError } from "./errors.js";
import { fileEntries, fileOf, recordOf, type WorkspaceFile } from "./file-entries.js";
import { asConflict, recordsAsExpected, type ExpectedVersions } from "./expected-versions.js";
import { checkPath, DATA_PREFIX, FileRecord, FileTable, INDEX_PREFIX, type SizeLimits } from "./file-table.js";
import { planMoves } from "./plan-moves.js";
import { WorkspaceMirror } from "./workspace-mirror.js";
import {
  checkMove,
  checkWrite,
  checkWriteAll,
  encoded,
  type PutOptions,
  type RunWriteOptions,
  type WorkspaceWriteAllOptions,
  type WorkspaceWriteOptions,
  type WriteAllOptions,
} from "./write-options.js";

/** How much a workspace keeps. */
export interface WorkspaceOptions {
  /** How large one file may be, in bytes. Default 100 MB. */
  maxFileSize?: number;
  /** How large all files together may be, in bytes. Default 500 MB. */
  maxTotalSize?: number;
  /** How many files there may be, and how many folders. Default 5,000. */
  maxFiles?: number;
}

/** What a file holds, and the version that it is of. */
export interface WorkspaceContent {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly version: string;
}

/** A file was written, or deleted. */
export interface WorkspaceEvent {
  readonly kind: "written" | "deleted";
  readonly path: string;
  /** Who did it: the page, or a run. */
  readonly by: "page" | "run";
}

const LISTED = { prefix: INDEX_PREFIX, schema: FileRecord, isName: (path: string) => pathFault(path) === null };

/**
 * The files that a session's code sees under `/workspace`. They live in storage;
 * an interpreter works on a copy, which a {@link WorkspaceMirror} keeps level.
 */
export class Workspace {
  readonly #storage: StorageBackend;
  readonly #limits: SizeLimits;
  readonly #listeners = new ChangeListeners<WorkspaceEvent>();
  /** As they were read last, in a turn. Another tab may have written one of them since: then it counts with its old size. */
  #known = new Map<string, FileRecord>();
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(storage: StorageBackend, options: WorkspaceOptions = {}) {
    this.#storage = storage;
    this.#limits = {
      file: options.maxFileSize ?? 100 * 1024 ** 2,
      total: options.maxTotalSize ?? 500 * 1024 ** 2,
      files: options.maxFiles ?? 5000,
    };
  }

  /** @throws {WorkspaceNotFoundError} */
  async read(path: string): Promise<Uint8Array<ArrayBuffer>> {
    checkPath(path);
    const bytes = await this.#storage.get(DATA_PREFIX + path);
    if (bytes === undefined) throw new WorkspaceNotFoundError(path);
    return bytes;
  }

  /**
   * Reads a file with the version that it is of, in one look: for `ifVersion` of a write that depends on it.
   *
   * @throws {WorkspaceNotFoundError} @throws {StorageReadError}
   */
  async readVersion(path: string): Promise<WorkspaceContent> {
    const { content, version } = await this.#readRecord(path);
    return { content, version };
  }

  /**
   * Replaces the file if there is one. Text is written as UTF-8.
   *
   * @returns the file as it is now.
   * @throws {OptionError} for content that is neither text nor bytes.
   * @throws {WorkspacePathError} when it leads out of the workspace, or would make a folder of a file.
   * @throws {WorkspaceConflictError} when the file is not in the version of `ifVersion`, with nothing written.
   * @throws {WorkspaceFullError}
   */
  async write(path: string, content: Uint8Array | string, options: WorkspaceWriteOptions = {}): Promise<WorkspaceFile> {
    checkWrite(path, content, options);
    const { ifVersion } = options;
    const expected = new Map(ifVersion === undefined ? [] : [[path, ifVersion]]);
    const records = await this.#writeAll(new Map([[path, content]]), { expected, by: "page" });
    const [file] = Array.from(records, fileOf);
    if (file === undefined) throw new WorkspaceNotFoundError(path);
    return file;
  }

  /**
   * Writes and deletes files, all of them or none: null deletes, and what is not there is deleted already.
   *
   * @returns the files that were written, as they are now.
   * @throws {OptionError} for content that is neither text nor bytes nor null.
   * @throws {WorkspacePathError} @throws {WorkspaceFullError}
   * @throws {WorkspaceConflictError} when a file is not in its version of `ifVersion`. It names the first.
   */
  async writeAll(
    files: ReadonlyMap<string, Uint8Array | string | null>,
    options: WorkspaceWriteAllOptions = {},
  ): Promise<WorkspaceFile[]> {
    checkWriteAll(files, options);
    const { ifVersion: expected = new Map() } = options;
    return Array.from(await this.#writeAll(files, { expected, by: "page" }), fileOf);
  }

  /**
   * Writes files for code of a session, whose trust level they carry from then on.
   *
   * @returns the files that were written, as they are now.
   * @internal
   */
  async writeForRun(
    files: ReadonlyMap<string, Uint8Array | string | null>,
    { trust, ifVersion, ...recorded }: RunWriteOptions,
  ): Promise<WorkspaceFile[]> {
    const options = { trustOf: () => trust, expected: ifVersion, by: "run", ...recorded } as const;
    return Array.from(await this.#writeAll(files, options), fileOf);
  }

  /**
   * Gives files other paths, each by its old one, all of them or none. Who wrote a file stays known.
   *
   * @returns the files as they are now.
   * @throws {WorkspaceNotFoundError} @throws {WorkspacePathError} @throws {WorkspaceFullError}
   * @throws {WorkspaceConflictError} when there is a file at a new path already, or one was written meanwhile.
   */
  async move(paths: ReadonlyMap<string, string>): Promise<WorkspaceFile[]> {
    checkMove(paths);
    const { files, ...options } = await planMoves(paths, (path) => this.#readRecord(path));
    return Array.from(await this.#writeAll(files, { ...options, by: "page" }), fileOf);
  }

  /** Begins to record what a session's code changes, or goes on where that was begun: see {@link changes}. @internal */
  recordChanges(id: string): Promise<ChangeRecording> {
    return this.#inTurn(async () => {
      const { ChangeRecording: Recording } = await import("./changes/change-recording.js");
      return Recording.open(this.#storage, id);
    });
  }

  /** What a session's code has changed under this id; undefined where nothing is kept of it. */
  async changes(id: string): Promise<WorkspaceChanges | undefined> {
    checkArgument("workspace.changes", "id", id, "string");
    const { openChanges } = await import("./changes/workspace-changes.js");
    return openChanges(this.#storage, id, {
      limits: this.#limits,
      read: (path) => this.#stored(path),
      records: (paths) => this.#recordsFor(paths),
      inTurn: (step) => this.#inTurn(step),
      put: async (files, options) => {
        await this.#tell(files.keys(), await this.#put(files, options), "page");
      },
    });
  }

  /** The ids under which changes are kept, the newest first. */
  async changesKept(): Promise<readonly string[]> {
    const { keptRecordings } = await import("./changes/stored-changes.js");
    return (await keptRecordings(this.#storage)).map(({ id }) => id);
  }

  /** @returns whether there was such a file. */
  async delete(path: string): Promise<boolean> {
    checkPath(path);
    const found = await this.#inTurn(async () => {
      if (!(await this.#isThere(path))) return false;
      await this.#storage.write(fileEntries(path, null));
      this.#known.delete(path);
      return true;
    });
    if (found) this.#listeners.tell({ kind: "deleted", path, by: "page" });
    return found;
  }

  /** By path. Damaged entries are left out; see `problems`. */
  async list(): Promise<WorkspaceFile[]> {
    const { records } = await listJson(this.#storage, LISTED);
    return Array.from(records, fileOf);
  }

  /** @internal What is stored beside the bytes of each file, by path. */
  records(): Promise<ReadonlyMap<string, FileRecord>> {
    return this.#inTurn(() => this.#recordsFor());
  }

  /** @internal Of one file; undefined where there is none. @throws {WorkspacePathError} */
  async record(path: string): Promise<FileRecord | undefined> {
    checkPath(path);
    return readJson(this.#storage, INDEX_PREFIX + path, FileRecord);
  }

  /** The entries that cannot be listed, and why. */
  async problems(): Promise<Problem[]> {
    return [...(await listJson(this.#storage, LISTED)).problems];
  }

  /**
   * For one interpreter, whose `/workspace` is empty now.
   *
   * @param trust - the level of its session, which the files it writes will carry.
   * @param withholds - whether files of a session of that level are kept back until they are admitted. Default: none.
   * @param recording - what keeps the files as they were before the interpreter changed them.
   * @internal
   */
  mirror(
    trust?: TrustLevel,
    withholds: (author: TrustLevel) => boolean = () => false,
    recording?: ChangeRecording,
  ): WorkspaceMirror {
    const side = {
      limits: this.#limits,
      records: (paths?: Iterable<string>) => this.#recordsFor(paths),
      read: (path: string) => this.#storage.get(DATA_PREFIX + path).catch(ignoreDamage),
      inTurn: <T>(step: () => Promise<T>) => this.#inTurn(step),
      write: async (files: ReadonlyMap<string, Uint8Array | null>, expected: ExpectedVersions) => {
        // What cannot be read is written over.
        const ifUnchanged = await recordsAsExpected(this.#storage, expected).catch(ignoreDamage);
        const records = await this.#put(files, { trustOf: () => trust, recording, ifUnchanged }).catch(
          (error: unknown) => {
            throw asConflict(error, expected);
          },
        );
        await this.#tell(files.keys(), records, "run");
        return records;
      },
    };
    return new WorkspaceMirror(side, withholds);
  }

  /** Told after each change made through this workspace; not of changes in other tabs. @returns how to stop listening. */
  onChange(listener: (event: WorkspaceEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** @throws {WorkspaceNotFoundError} @throws {StorageReadError} */
  async #readRecord(path: string): Promise<FileRecord & Pick<WorkspaceContent, "content">> {
    checkPath(path);
    // Reads of one tick see one state of the store.
    const [record, content] = await Promise.all([
      readJson(this.#storage, INDEX_PREFIX + path, FileRecord),
      this.#storage.get(DATA_PREFIX + path),
    ]);
    if (record === undefined || content === undefined) throw new WorkspaceNotFoundError(path);
    return { ...record, content };
  }

  async #writeAll(
    files: ReadonlyMap<string, Uint8Array | string | null>,
    { expected, trustOf = () => undefined, recording, recordsChanges, by }: WriteAllOptions,
  ): Promise<ReadonlyMap<string, FileRecord>> {
    for (const path of [...files.keys(), ...expected.keys()]) checkPath(path);
    const { changed, records } = await this.#inTurn(async () => {
      const contents = await encoded(files);
      const ifUnchanged = await recordsAsExpected(this.#storage, expected);
      const table = new FileTable(await this.#recordsFor(files.keys()), this.#limits);
      // Deletions first: what was a file may be a folder now.
      for (const [path, content] of contents) {
        if (content !== null) continue;
        table.remove(path);
        if (!(await this.#isThere(path))) contents.delete(path);
      }
      for (const [path, content] of contents) if (content !== null) table.put(path, content.byteLength);
      const more =
        recordsChanges === undefined
          ? undefined
          : (records: ReadonlyMap<string, FileRecord>) => this.#recordWrite(recordsChanges, contents, records);
      try {
        return {
          changed: [...contents.keys()],
          records: await this.#put(contents, { trustOf, ifUnchanged, recording, more }),
        };
      } catch (error) {
        throw asConflict(error, expected);
      }
    });
    await this.#tell(changed, records, by);
    return records;
  }

  /** In a turn. @returns the records of what was written. */
  async #put(
    files: ReadonlyMap<string, Uint8Array | null>,
    { trustOf, ifUnchanged, recording, more }: PutOptions,
  ): Promise<ReadonlyMap<string, FileRecord>> {
    const records = new Map<string, FileRecord>();
    const kept = await recording?.entriesWith(files, (path) => this.#stored(path));
    const entries: Entries = kept?.entries ?? new Map();
    const slices = new Slices();
    for (const [path, content] of files) {
      await slices.rest();
      const record = content === null ? undefined : recordOf(content, trustOf(path));
      if (record !== undefined) records.set(path, record);
      for (const [key, bytes] of fileEntries(path, content, record)) entries.set(key, bytes);
    }
    for (const [key, bytes] of (await more?.(records)) ?? []) entries.set(key, bytes);
    await this.#storage.write(entries, ifUnchanged === undefined ? {} : { ifUnchanged });
    kept?.stored();
    for (const path of files.keys()) this.#known.delete(path);
    for (const [path, record] of records) this.#known.set(path, record);
    return records;
  }

  /** In a turn: what is stored with a write so that it can be undone by itself. */
  async #recordWrite(
    id: string,
    files: ReadonlyMap<string, Uint8Array | null>,
    records: ReadonlyMap<string, FileRecord>,
  ): Promise<Entries> {
    const { recordedWrite } = await import("./changes/recorded-write.js");
    return recordedWrite(this.#storage, id, { files, records, read: (path) => this.#stored(path) });
  }

  /** A file as it is stored, whether it can be read or not. */
  async #stored(path: string): Promise<StoredFile> {
    const [record, content] = await Promise.all([
      readJson(this.#storage, INDEX_PREFIX + path, FileRecord).catch(ignoreDamage),
      this.#storage.get(DATA_PREFIX + path).catch(ignoreDamage),
    ]);
    return { record: record ?? null, content: content ?? null };
  }

  async #tell(
    changed: Iterable<string>,
    written: ReadonlyMap<string, FileRecord>,
    by: WorkspaceEvent["by"],
  ): Promise<void> {
    const slices = new Slices();
    for (const path of changed) {
      await slices.rest();
      this.#listeners.tell({ kind: written.has(path) ? "written" : "deleted", path, by });
    }
  }

  /** Whether anything is stored of a file, readable or not. */
  async #isThere(path: string): Promise<boolean> {
    const keys = [INDEX_PREFIX + path, DATA_PREFIX + path];
    return (await Promise.all(keys.map((key) => hasRecord(this.#storage, key)))).includes(true);
  }

  /** In a turn: what is there, as fresh as it can be of `paths`, which are about to be written. Default: of all. */
  async #recordsFor(paths: Iterable<string> = this.#known.keys()): Promise<ReadonlyMap<string, FileRecord>> {
    for (const path of paths) this.#known.delete(path);
    const { records } = await listJson(this.#storage, { ...LISTED, known: this.#known });
    return (this.#known = new Map(records));
  }

  // Limits and conflicts are judged by what is stored, so nobody may write between the look and the write.
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#lastStep.then(step);
    this.#lastStep = result.catch(() => undefined);
    return result;
  }
}
