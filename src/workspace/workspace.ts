import { checkArgument } from "../options/index.js";
import { encodeTextInSlices, Slices, type Problem, type TrustLevel } from "../protocol/index.js";
import {
  ChangeListeners,
  encodeJson,
  hasRecord,
  ignoreDamage,
  listJson,
  readJson,
  pathFault,
  type StorageBackend,
} from "../storage/index.js";
import { WorkspaceNotFoundError } from "./errors.js";
import { checkPath, DATA_PREFIX, FileRecord, FileTable, INDEX_PREFIX, type SizeLimits } from "./file-table.js";
import { WorkspaceMirror } from "./workspace-mirror.js";

/** How much a workspace keeps. */
export interface WorkspaceOptions {
  /** How large one file may be, in bytes. Default 100 MB. */
  maxFileSize?: number;
  /** How large all files together may be, in bytes. Default 500 MB. */
  maxTotalSize?: number;
  /** How many files there may be, and how many folders. Default 5,000. */
  maxFiles?: number;
}

/** A file of a workspace. */
export interface WorkspaceFile {
  /** Relative to `/workspace`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** The level of the session that wrote it; absent for one that a person put there. */
  readonly trust?: TrustLevel;
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
   * Replaces the file if there is one. Text is written as UTF-8.
   *
   * @throws {OptionError} for content that is neither text nor bytes.
   * @throws {WorkspacePathError} when it leads out of the workspace, or would make a folder of a file.
   * @throws {WorkspaceFullError}
   */
  async write(path: string, content: Uint8Array | string): Promise<void> {
    checkArgument("workspace.write", "path", path, "string");
    if (!ArrayBuffer.isView(content)) checkArgument("workspace.write", "content", content, "string|Uint8Array");
    await this.#inTurn(async () => {
      const bytes = typeof content === "string" ? await encodeTextInSlices(content) : content;
      new FileTable(await this.#recordsFor([path]), this.#limits).put(path, bytes.byteLength);
      const record = recordOf(bytes);
      await this.#storage.write(fileEntries(path, bytes, record));
      this.#known.set(path, record);
    });
    this.#listeners.tell({ kind: "written", path, by: "page" });
  }

  /** @returns whether there was such a file. */
  async delete(path: string): Promise<boolean> {
    checkPath(path);
    const found = await this.#inTurn(async () => {
      const keys = [INDEX_PREFIX + path, DATA_PREFIX + path];
      const stored = await Promise.all(keys.map((key) => hasRecord(this.#storage, key)));
      if (!stored.includes(true)) return false;
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
    return Array.from(records, ([path, { size, modifiedAt, trust }]) => ({
      path,
      size,
      modifiedAt: new Date(modifiedAt),
      ...(trust === undefined ? {} : { trust }),
    }));
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
   * @internal
   */
  mirror(trust?: TrustLevel, withholds: (author: TrustLevel) => boolean = () => false): WorkspaceMirror {
    const side = {
      limits: this.#limits,
      records: (paths?: Iterable<string>) => this.#recordsFor(paths),
      read: (path: string) => this.#storage.get(DATA_PREFIX + path).catch(ignoreDamage),
      inTurn: <T>(step: () => Promise<T>) => this.#inTurn(step),
      write: async (files: ReadonlyMap<string, Uint8Array | null>) => {
        const records = new Map<string, FileRecord>();
        const entries = new Map<string, Uint8Array | null>();
        const slices = new Slices();
        for (const [path, content] of files) {
          await slices.rest();
          const record = content === null ? undefined : recordOf(content, trust);
          if (record !== undefined) records.set(path, record);
          for (const [key, bytes] of fileEntries(path, content, record)) entries.set(key, bytes);
        }
        await this.#storage.write(entries);
        for (const path of files.keys()) this.#known.delete(path);
        for (const [path, record] of records) this.#known.set(path, record);
        for (const [path, content] of files) {
          await slices.rest();
          this.#listeners.tell({ kind: content === null ? "deleted" : "written", path, by: "run" });
        }
        return records;
      },
    };
    return new WorkspaceMirror(side, withholds);
  }

  /** Told after each change made through this workspace; not of changes in other tabs. @returns how to stop listening. */
  onChange(listener: (event: WorkspaceEvent) => void): () => void {
    return this.#listeners.add(listener);
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

function recordOf(content: Uint8Array, trust?: TrustLevel): FileRecord {
  const version = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
  const record = { size: content.byteLength, version, modifiedAt: new Date().toISOString() };
  return trust === undefined ? record : { ...record, trust };
}

function fileEntries(path: string, content: Uint8Array | null, record?: FileRecord): Map<string, Uint8Array | null> {
  return new Map([
    [INDEX_PREFIX + path, record === undefined ? null : encodeJson(record)],
    [DATA_PREFIX + path, content],
  ]);
}
