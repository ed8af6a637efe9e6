import { z } from "zod";

import { TrustLevel } from "../protocol/index.js";
import { findClash, pathFault, type PathFault } from "../storage/index.js";
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

/** The files as they will be after a number of changes; refuses those that do not fit beside the rest. */
export class FileTable {
  readonly #sizes: Map<string, number>;
  readonly #limits: SizeLimits;

  constructor(files: ReadonlyMap<string, FileRecord>, limits: SizeLimits) {
    this.#sizes = new Map(Array.from(files, ([path, { size }]) => [path, size]));
    this.#limits = limits;
  }

  has(path: string): boolean {
    return this.#sizes.has(path);
  }

  remove(path: string): void {
    this.#sizes.delete(path);
  }

  /**
   * @throws {WorkspacePathError}
   * @throws {WorkspaceFullError}
   */
  put(path: string, size: number): void {
    checkPath(path);
    const clash = findClash(path, this.#sizes.keys());
    if (clash !== undefined) throw new WorkspacePathError(path, `"${clash}" is there already`);
    if (size > this.#limits.file) throw new WorkspaceFullError(path, size, this.#limits.file, "file");
    let total = size - (this.#sizes.get(path) ?? 0);
    for (const other of this.#sizes.values()) total += other;
    if (total > this.#limits.total) throw new WorkspaceFullError(path, size, this.#limits.total, "workspace");
    this.#sizes.set(path, size);
  }
}
