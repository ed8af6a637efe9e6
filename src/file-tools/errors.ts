import { VitrineError, type Value } from "../protocol/index.js";

/** A file is larger than a file tool reads. Nothing was read. */
export class FileTooLargeError extends VitrineError {
  override readonly name = "FileTooLargeError";
  readonly code = "FILE_TOO_LARGE";

  constructor(
    readonly path: string,
    /** Bytes. */
    readonly size: number,
    /** Bytes. */
    readonly limit: number,
  ) {
    super(
      `/workspace/${path.slice(0, 200)} has ${size.toLocaleString("en-US")} bytes, and ${limit.toLocaleString("en-US")} are read at most. ` +
        "Read a part of it in Python, or by a command such as `sed -n`.",
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { path: this.path, size: this.size, limit: this.limit };
  }
}
