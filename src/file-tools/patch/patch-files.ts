/** The files that a patch is applied to. Paths are relative to `/workspace`. */
export interface PatchFiles {
  /** Undefined where nothing is. */
  find(path: string): Promise<PatchedFile | "folder" | undefined>;
  /** Undefined where no file is. */
  read(path: string): Promise<{ readonly content: Uint8Array; readonly version: string } | undefined>;
  /**
   * Writes and deletes all of them or none; null deletes.
   *
   * @param ifVersion - the versions that they have now; null where there is no file.
   * @throws {WorkspaceConflictError} when another one is there.
   */
  writeAll(files: ReadonlyMap<string, string | null>, ifVersion: ReadonlyMap<string, string | null>): Promise<void>;
}

export interface PatchedFile {
  readonly version: string;
  /** Bytes. */
  readonly size: number;
}
