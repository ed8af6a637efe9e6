import { VitrineError } from "../../protocol/index.js";

/** A document that cannot be used at all. */
export class OpenApiDocumentError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "OPENAPI_DOCUMENT";

  constructor(
    /** The document: an address, a file, a name. */
    readonly document: string,
    readonly reason: string,
    readonly line?: number,
  ) {
    super(`${document}${line === undefined ? "" : `:${String(line)}`}: ${reason}`);
  }
}
