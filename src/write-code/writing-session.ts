import type { Finding } from "../check/index.js";
import type { StorageBackend } from "../storage/index.js";
import type { WorkspaceContent } from "../workspace/index.js";

/** The session whose call is answered: the one that has the tool, or one inside it. */
export interface WritingSession {
  readonly files: WritingFiles;
  /** Where the logs of what was written are kept. */
  readonly storage: StorageBackend;
  /**
   * An interpreter of the highest level, with no tool and no file, for looking at texts. It is opened with the first call
   * and kept for later ones of the session.
   */
  interpreter(): Promise<TextInterpreter>;
  /** Has all secrets of the session struck, those too that no tool has used so far. To be called before any text is. */
  knowSecrets(): Promise<void>;
  /** Strikes what must not leave the page: the secrets of the session that are known. */
  strike(text: string): string;
}

/** The files of a session as its code has them; paths are relative to `/workspace`. */
export interface WritingFiles {
  /** Stores what code that waits for the call has written. To be called before anything is looked at. */
  collect(): Promise<unknown>;
  /** Gives that code what was stored meanwhile. To be called after anything was written. */
  exchange(): Promise<void>;
  /** The paths of the files that may be read. */
  paths(): Promise<readonly string[]>;
  /** With its version. Undefined where there is no file, or none that may be read. */
  readVersion(path: string): Promise<WorkspaceContent | undefined>;
  /**
   * Writes files, all or none, as code of the session does, and keeps under `recordsChanges` what they held before.
   *
   * @param options.ifVersion - the versions that they have now; null where there is no file.
   * @returns the versions that they have from now on.
   * @throws {WorkspaceConflictError} naming the first that has another one.
   * @throws {WorkspacePathError} @throws {WorkspaceFullError} @throws {StorageError}
   */
  writeAll(
    files: ReadonlyMap<string, string | Uint8Array>,
    options: { readonly ifVersion: ReadonlyMap<string, string | null>; readonly recordsChanges: string },
  ): Promise<ReadonlyMap<string, string>>;
}

/** Looks at texts, in Python. */
export interface TextInterpreter {
  /**
   * As `session.check`, by what the session's code sees, but of a file: what only a cell may have, such as `!ls`, is a
   * mistake.
   *
   * @throws {VitrineError} where nothing could be found out in time.
   */
  check(code: string, options?: FileCheckOptions): Promise<readonly Finding[]>;
  /** Undoes the mojibake of texts, each by itself, with ftfy, and changes nothing else. */
  repair(texts: readonly string[], options?: TextWorkOptions): Promise<RepairedTexts>;
}

export interface TextWorkOptions {
  /** Ends the wait, not the work. */
  readonly signal?: AbortSignal | undefined;
}

export interface FileCheckOptions extends TextWorkOptions {
  /** Modules, by the first part of their names, that will be there when the file is imported: that one is missing is a warning. */
  readonly provided?: readonly string[] | undefined;
}

/** Texts with their mojibake repaired, in the same order. */
export interface RepairedTexts {
  readonly texts: readonly string[];
  /** False where the package that repairs is not to be had: the texts are as they were. */
  readonly isRepaired: boolean;
  /** Why they are not. */
  readonly reason?: string | undefined;
}
