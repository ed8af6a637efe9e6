import { VitrineError } from "../protocol/index.js";

/** The validation was given up before it had a result. The next one starts another worker. */
export class ContentCheckEndedError extends VitrineError {
  override readonly name = "ContentCheckEndedError";
  readonly code = "CONTENT_CHECK_ENDED";

  /** What an aborted signal stands for: its reason, where that is such an error already. */
  static from({ reason }: AbortSignal): ContentCheckEndedError {
    if (reason instanceof ContentCheckEndedError) return reason;
    return new ContentCheckEndedError("its signal was aborted", { cause: reason });
  }

  constructor(reason: string, options?: ErrorOptions) {
    super(`The validation was ended: ${reason}. Nothing is known about the content.`, options);
  }
}
