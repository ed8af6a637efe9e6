/** A patch in the form of `apply_patch`, as it was read. */
export type Patch = readonly Hunk[];

/** What a patch does with one file. `line` is where it says so, from 1 at `*** Begin Patch`. */
export type Hunk = AddHunk | DeleteHunk | UpdateHunk;

export interface AddHunk {
  readonly kind: "add";
  readonly path: string;
  readonly line: number;
  readonly content: string;
}

export interface DeleteHunk {
  readonly kind: "delete";
  readonly path: string;
  readonly line: number;
}

export interface UpdateHunk {
  readonly kind: "update";
  readonly path: string;
  readonly line: number;
  /** Where the file is moved to; null where it stays. */
  readonly target: string | null;
  readonly chunks: readonly Chunk[];
}

/** Lines that stand together in the file. */
export interface Chunk {
  readonly line: number;
  /** Lines of the file above the block, each below the one before: of a class and its method, for instance. */
  readonly contexts: readonly string[];
  readonly lines: readonly PatchLine[];
  /** The block is the end of the file. */
  readonly isEndOfFile: boolean;
}

export interface PatchLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** An empty line of the patch, without the blank that marks context. */
  readonly isBare?: boolean;
}

/** What must be in the file. */
export function oldLines(lines: readonly PatchLine[]): readonly string[] {
  return lines.flatMap(({ kind, text }) => (kind === "added" ? [] : [text]));
}
