import { VitrineError, type Value } from "../protocol/index.js";

/** What a context, or the loop around it, could not do. */
export type ContextFault =
  /** There is no turn of that id. */
  | "UNKNOWN_TURN"
  /** A turn has that id already, or none can have it. */
  | "TURN_ID"
  /** No context can have that id. */
  | "CONTEXT_ID"
  /** Another tab, or another loop of this page, works on it. Nothing is to be done here until that has ended. */
  | "CONTEXT_IN_USE"
  /** It was changed elsewhere since it was opened here. Open it anew. */
  | "CONTEXT_CHANGED"
  /** The turn has no contract yet, or has one already. */
  | "TURN_CONTRACT"
  /** The loop was asked for something it cannot do. */
  | "TURN_OPTIONS";

/** A context was asked for something that it cannot do. Nothing was changed. */
export class ContextError extends VitrineError {
  override readonly name = "ContextError";

  constructor(
    readonly code: ContextFault,
    message: string,
  ) {
    super(message);
  }

  override details(): Readonly<Record<string, Value>> {
    return { code: this.code };
  }
}
