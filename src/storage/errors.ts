import { VitrineError, type Problem, type Value } from "../protocol/index.js";

/** Any failure of the store itself, as opposed to what is in it. */
export abstract class StorageError extends VitrineError {}

/** The store has no room for a write. Nothing of that write was kept; all older values are still there. */
export class StorageFullError extends StorageError {
  override readonly name = "StorageFullError";
  readonly code = "STORAGE_FULL";

  constructor(
    /** Size of the refused write, in bytes. */
    readonly needed: number,
    options?: ErrorOptions,
  ) {
    super(
      `The storage is full: ${formatSize(needed)} did not fit. Nothing was changed. ` +
        "Delete artifacts or workspace files that are no longer needed, or free disk space, and try again.",
      options,
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { needed: this.needed };
  }
}

/** The store cannot be reached: the browser forbids it, another tab holds or deleted it, or it went away. */
export class StorageBlockedError extends StorageError {
  override readonly name = "StorageBlockedError";
  readonly code = "STORAGE_BLOCKED";

  constructor(
    /** What happened, as a sentence. */
    readonly reason: string,
    /** What a person can do about it, as a sentence. */
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(`${reason} ${advice}`, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { reason: this.reason, advice: this.advice };
  }
}

/** The store was written by another release of Vitrine, in another tab for instance. It is left as it is. */
export class StorageFormatError extends StorageError {
  override readonly name = "StorageFormatError";
  readonly code = "STORAGE_FORMAT";

  constructor(
    readonly storage: string,
    /** What the store says of itself. */
    readonly format: unknown,
  ) {
    super(
      `The storage "${storage}" was written by a newer release of Vitrine (format ${String(format)}), which this page does ` +
        "not know. Nothing was changed. Reload the page to get the newer release.",
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { storage: this.storage };
  }
}

/** The store was used after `close()`. */
export class StorageClosedError extends StorageError {
  override readonly name = "StorageClosedError";
  readonly code = "STORAGE_CLOSED";

  constructor(readonly storage: string) {
    super(`The storage "${storage}" was closed. Open it again to go on.`);
  }
}

/** A record is there and cannot be read. The rest of the store can. */
export class StorageReadError extends StorageError {
  override readonly name = "StorageReadError";
  readonly code = "STORAGE_READ";

  constructor(
    /** Key of the record. */
    readonly path: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The stored record "${path}" cannot be read: ${reason}.`, options);
  }

  /** The error as it stands in a listing. */
  toProblem(): Problem {
    return { file: this.path, message: this.message, code: this.code };
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, reason: this.reason };
  }
}

/** A write failed for another reason than room. Nothing of it was kept. */
export class StorageWriteError extends StorageError {
  override readonly name = "StorageWriteError";
  readonly code = "STORAGE_WRITE";

  constructor(
    /** Key of the first record of the write. */
    readonly path: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The record "${path}" could not be stored: ${reason}. Nothing was changed.`, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, reason: this.reason };
  }
}

/** A record is not what the writer expected to be there: another tab has written it meanwhile. Nothing was written. */
export class StorageConflictError extends StorageError {
  override readonly name = "StorageConflictError";
  readonly code = "STORAGE_CONFLICT";

  constructor(
    /** Key of the record. */
    readonly path: string,
    /** What is there instead; null where there is nothing. */
    readonly found: Uint8Array<ArrayBuffer> | null,
  ) {
    super(
      `The record "${path}" has changed since it was read, in another tab for instance. Nothing was written. ` +
        "Read it again and decide which content is to stay.",
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path };
  }
}

/** A value has no counterpart in JSON. In Python it is a `TypeError`. */
export class JsonValueError extends VitrineError {
  override readonly name = "JsonValueError";
  readonly code = "JSON_VALUE";

  constructor(
    /** Where in the value, `value.rows[3]` for instance. */
    readonly path: string,
    readonly reason: string,
  ) {
    super(`${reason} at ${path} is not JSON serializable.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path };
  }
}

function formatSize(size: number): string {
  if (size < 1024) return `${String(size)} bytes`;
  const [value, unit] = size < 1024 ** 2 ? [size / 1024, "KB"] : [size / 1024 ** 2, "MB"];
  return `${value.toFixed(1)} ${unit}`;
}
