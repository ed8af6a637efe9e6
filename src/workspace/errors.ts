import { VitrineError, type Value } from "../protocol/index.js";

/** No workspace file can have that path. In Python it is a `ValueError`. Nothing was changed. */
export class WorkspacePathError extends VitrineError {
  override readonly name = "WorkspacePathError";
  readonly code = "WORKSPACE_PATH";

  constructor(
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${JSON.stringify(path.slice(0, 200))} cannot be a file of the workspace: ${reason}.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path };
  }
}

/** The workspace has no such file. In Python it is a `FileNotFoundError`. */
export class WorkspaceNotFoundError extends VitrineError {
  override readonly name = "WorkspaceNotFoundError";
  readonly code = "WORKSPACE_NOT_FOUND";

  constructor(readonly path: string) {
    super(`The workspace has no file "${path}".`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path };
  }
}

/**
 * A file is not in the version that the writer has read: something else has written it since, another tab for instance.
 * Nothing was written, and `readVersion` reads what is there.
 */
export class WorkspaceConflictError extends VitrineError {
  override readonly name = "WorkspaceConflictError";
  readonly code = "WORKSPACE_CONFLICT";
  /** The version that was expected; null where no file was. */
  readonly expected: string | null;
  /** The version that is there; null where there is no file. */
  readonly found: string | null;

  constructor(
    readonly path: string,
    { expected, found }: { readonly expected: string | null; readonly found: string | null },
  ) {
    const before = expected === null ? "no file was expected" : `version ${expected} was expected`;
    const now = found === null ? "it is gone" : `it is in version ${found}`;
    super(
      `The file "${path.slice(0, 200)}" has changed meanwhile: ${before}, and now ${now}. ` +
        "Nothing was written; read it again and decide what is to stay.",
    );
    this.expected = expected;
    this.found = found;
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, expected: this.expected, found: this.found };
  }
}

/**
 * A file is larger than the workspace takes, alone or with the others, or one too many. The file in the workspace is as
 * it was.
 */
export class WorkspaceFullError extends VitrineError {
  override readonly name = "WorkspaceFullError";
  readonly code = "WORKSPACE_FULL";

  constructor(
    readonly path: string,
    /** Bytes. */
    readonly size: number,
    /** Bytes, or how many files or folders there may be. */
    readonly limit: number,
    /** What has no more room: this one file, all files together, or as many files or folders as there may be. */
    readonly scope: "file" | "workspace" | "files" | "folders",
  ) {
    const most = limit.toLocaleString("en-US");
    const reason = {
      file: `one file may have ${String(limit)} bytes`,
      workspace: `all files together may have ${String(limit)} bytes`,
      files: `the workspace may have ${most} files. Delete some, or put many small ones into one`,
      folders: `the workspace may have ${most} folders`,
    }[scope];
    super(`"${path.slice(0, 200)}" with ${String(size)} bytes does not fit: ${reason}.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, size: this.size, limit: this.limit };
  }
}
