import { VitrineError } from "../protocol/index.js";

/** The validation was given up before it had a result. The next one starts another worker. */
export class ContentCheckEndedError extends VitrineError {
  override readonly name = "ContentCheckEndedError";
  readonly code = "CONTENT_CHECK_ENDED";

  constructor(reason: string, options?: ErrorOptions) {
    super(`The validation was ended: ${reason}. Nothing is known about the content.`, options);
  }
}
