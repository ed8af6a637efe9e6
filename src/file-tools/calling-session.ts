import type { CommandHost } from "../commands/index.js";
import type { UnstoredEntry } from "../executor/index.js";
import type { FileRecord, WorkspaceContent } from "../workspace/index.js";
import type { FileSearch } from "./search/file-search.js";

/** The session whose call a file tool answers. */
export interface CallingSession {
  readonly files: SessionFiles;
  /** Shows a picture with what the code of that run gives out; false where it is no run of code, or has ended. */
  readonly showPicture: (runId: string, mime: string, bytes: Uint8Array<ArrayBuffer>) => boolean;
  readonly search: FileSearch;
  /** Undefined where the session has no shell. */
  readonly shell: CommandHost | undefined;
}

/** The files of a session as its code has them; paths are relative to `/workspace`. */
export interface SessionFiles {
  /**
   * Stores what code that waits for the call has written. To be called before anything is looked at.
   *
   * @returns what that code has beside files, which nothing keeps.
   */
  collect(): Promise<readonly UnstoredEntry[]>;
  /** Gives that code what was stored meanwhile. To be called after anything was written. */
  exchange(): Promise<void>;
  /** Of a file that may be read; undefined where there is none. */
  find(path: string): Promise<FileRecord | undefined>;
  /** The files that may be read, by path. */
  list(): Promise<ReadonlyMap<string, FileRecord>>;
  /** Of a file that `find` or `list` named. @throws {WorkspaceNotFoundError} */
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** With its version. Undefined where there is none that may be read. */
  readVersion(path: string): Promise<WorkspaceContent | undefined>;
  /**
   * Writes and deletes files, all or none, as code of the session does; null deletes.
   *
   * @param ifVersion - the versions that they have now; null where there is no file.
   * @throws {WorkspaceConflictError} when another one is there.
   */
  writeAll(files: ReadonlyMap<string, string | null>, ifVersion: ReadonlyMap<string, string | null>): Promise<void>;
}
