import { z } from "zod";

import { TrustLevel } from "../protocol/index.js";
import { pathFault, type PathFault } from "../storage/index.js";
import { WorkspaceFullError, WorkspacePathError } from "./errors.js";

export const INDEX_PREFIX = "workspace/index/";
export const DATA_PREFIX = "workspace/data/";

/** What is stored beside the bytes of a file. */
export const FileRecord = z.object({
  /** Bytes. */
  size: z.int().nonnegative(),
  /** Another one for each content. */
  version: z.string(),
  modifiedAt: z.iso.datetime(),
  trust: TrustLevel.optional(),
});
export type FileRecord = z.infer<typeof FileRecord>;

export interface SizeLimits {
  /** Bytes. */
  readonly file: number;
  /** Bytes. */
  readonly total: number;
  /** How many there may be, and how many folders. */
  readonly files: number;
}

const faults: Record<PathFault, string> = {
  empty: "the path is empty",
  traversal: "the path leads out of the workspace",
  segment: "the path has an empty or '.' folder in it",
  character: "the path has a control character, a mark of the reading direction, or a backslash in it",
  length: "the path is longer than 1024 characters",
};

/** @throws {WorkspacePathError} */
export function checkPath(path: string): void {
  const fault = pathFault(path);
  if (fault !== null) throw new WorkspacePathError(path, faults[fault]);
}

/**
 * The files as they will be after a number of changes; refuses those that do not fit beside the rest. What a change costs
 * does not grow with the number of files.
 */
export class FileTable {
  readonly #sizes = new Map<string, number>();
  /** How many files there are below each folder. */
  readonly #folders = new Map<string, number>();
  readonly #limits: SizeLimits;
  #total = 0;

  constructor(files: ReadonlyMap<string, FileRecord>, limits: SizeLimits) {
    this.#limits = limits;
    for (const [path, { size }] of files) this.#add(path, size);
  }

  has(path: string): boolean {
    return this.#sizes.has(path);
  }

  remove(path: string): void {
    const size = this.#sizes.get(path);
    if (size === undefined) return;
    this.#sizes.delete(path);
    this.#total -= size;
    for (const folder of foldersOf(path)) {
      const left = (this.#folders.get(folder) ?? 0) - 1;
      if (left > 0) this.#folders.set(folder, left);
      else this.#folders.delete(folder);
    }
  }

  /**
   * @throws {WorkspacePathError}
   * @throws {WorkspaceFullError}
   */
  put(path: string, size: number): void {
    const { file, total, files } = this.#limits;
    const before = this.#sizes.get(path);
    checkPath(path);
    if (before === undefined) {
      if (this.#sizes.size >= files) throw new WorkspaceFullError(path, size, files, "files");
      const clash = this.#clashWith(path);
      if (clash !== undefined) throw new WorkspacePathError(path, `"${clash}" is there already`);
      if (this.#foldersWith(path) > files) throw new WorkspaceFullError(path, size, files, "folders");
    }
    if (size > file) throw new WorkspaceFullError(path, size, file, "file");
    if (this.#total - (before ?? 0) + size > total) throw new WorkspaceFullError(path, size, total, "workspace");
    this.remove(path);
    this.#add(path, size);
  }

  #add(path: string, size: number): void {
    this.#sizes.set(path, size);
    this.#total += size;
    for (const folder of foldersOf(path)) this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + 1);
  }

  /** A file that would have to be a folder beside `path`, or one in the folder that `path` would have to be. */
  #clashWith(path: string): string | undefined {
    for (const folder of foldersOf(path)) if (this.#sizes.has(folder)) return folder;
    if (!this.#folders.has(path)) return undefined;
    return [...this.#sizes.keys()].find((other) => other.startsWith(`${path}/`));
  }

  #foldersWith(path: string): number {
    const fresh = [...foldersOf(path)].filter((folder) => !this.#folders.has(folder));
    return this.#folders.size + fresh.length;
  }
}

/** `a` and `a/b` of `a/b/c`. */
function* foldersOf(path: string): Generator<string> {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) yield path.slice(0, end);
}
