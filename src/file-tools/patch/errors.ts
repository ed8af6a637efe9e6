import { VitrineError, type Value } from "../../protocol/index.js";

/** A patch was not applied. No file was changed. The message is in the words of the command `apply_patch`. */
export abstract class PatchError extends VitrineError {
  /** The same in the words of the tool `apply_patch`. */
  get toolMessage(): string {
    return `apply_patch verification failed: ${this.message}`;
  }
}

/** The text is no patch, or a part of it is none. */
export class PatchSyntaxError extends PatchError {
  override readonly name = "PatchSyntaxError";
  readonly code = "PATCH_SYNTAX";

  constructor(
    readonly problem: string,
    /** From 1 at `*** Begin Patch`; null where the text as a whole is no patch. */
    readonly line: number | null = null,
  ) {
    super(line === null ? `Invalid patch: ${problem}` : `Invalid patch hunk on line ${String(line)}: ${problem}`);
  }

  override get toolMessage(): string {
    const { problem, line } = this;
    const where = line === null ? "invalid patch: " : `invalid hunk at line ${String(line)}, `;
    return `apply_patch verification failed: ${where}${problem}`;
  }

  override details(): Readonly<Record<string, Value>> {
    return { line: this.line };
  }
}

/** The patch has no hunks. */
export class EmptyPatchError extends PatchError {
  override readonly name = "EmptyPatchError";
  readonly code = "PATCH_EMPTY";

  constructor() {
    super("No files were modified.");
  }

  override get toolMessage(): string {
    return "patch rejected: empty patch";
  }
}

/** Lines that the patch expects are not in the file. */
export class PatchMismatchError extends PatchError {
  override readonly name = "PatchMismatchError";
  readonly code = "PATCH_MISMATCH";
  /** Which chunk of the hunk, from 1. */
  readonly chunk: number;
  /** Where the chunk begins, from 1 at `*** Begin Patch`. */
  readonly line: number;

  constructor(
    /** As the patch writes it. */
    readonly path: string,
    message: string,
    { chunk, line }: { readonly chunk: number; readonly line: number },
  ) {
    super(message);
    this.chunk = chunk;
    this.line = line;
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, chunk: this.chunk, line: this.line };
  }
}

/** A file that the patch is about is not there, cannot be read, or cannot be written. */
export class PatchFileError extends PatchError {
  override readonly name = "PatchFileError";
  readonly code = "PATCH_FILE";
  readonly #inTool: string;

  constructor(
    /** As the patch writes it. */
    readonly path: string,
    message: string,
    { inTool = message, cause }: { readonly inTool?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.#inTool = inTool;
  }

  override get toolMessage(): string {
    return `apply_patch verification failed: ${this.#inTool}`;
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path };
  }
}

/** The patch would write outside of the workspace. */
export class PatchOutsideError extends PatchError {
  override readonly name = "PatchOutsideError";
  readonly code = "PATCH_OUTSIDE";

  constructor(
    /** As the patch writes it. */
    readonly path: string,
  ) {
    super("patch rejected: writing outside of the project; rejected by user approval settings");
  }

  override get toolMessage(): string {
    return this.message;
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path };
  }
}

/** A file was changed while the patch was made ready, in another tab for instance. What it holds now stays. */
export class PatchConflictError extends PatchError {
  override readonly name = "PatchConflictError";
  readonly code = "PATCH_CONFLICT";
  /** The version that the patch was made ready for; null where there was no file. */
  readonly expected: string | null;
  /** The version that is there; null where there is no file any more. */
  readonly found: string | null;

  constructor(
    readonly path: string,
    { expected, found, cause }: { readonly expected: string | null; readonly found: string | null; cause?: unknown },
  ) {
    const before = expected === null ? "there was no such file" : `it was in version ${expected}`;
    const now = found === null ? "it is gone" : `it is in version ${found}`;
    super(
      `${path} was changed by something else meanwhile: ${before}, and now ${now}. ` +
        "No file was changed by the patch; read the file again and make a new one.",
      { cause },
    );
    this.expected = expected;
    this.found = found;
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, expected: this.expected, found: this.found };
  }
}

/** The patch, or a file that it changes, is larger than is worked on. */
export class PatchTooLargeError extends PatchError {
  override readonly name = "PatchTooLargeError";
  readonly code = "PATCH_TOO_LARGE";
}
