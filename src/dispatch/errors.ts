import { VitrineError, type Value } from "../protocol/index.js";

/** The session's policy, or a person, said no. Nothing was called. */
export class CallNotAllowedError extends VitrineError {
  override readonly name = "ToolNotAllowedError";
  readonly code = "CALL_NOT_ALLOWED";

  constructor(
    /** With its namespace: `tools.curl.get`. */
    readonly callName: string,
    readonly reason: string,
  ) {
    super(`${callName} was not allowed: ${reason}`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { call_name: this.callName, reason: this.reason };
  }
}

/** The run that waited for the call was stopped. Whether the call took effect is not known. */
export class CallCancelledError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "CALL_CANCELLED";

  constructor(readonly callName: string) {
    super(`${callName} was given up because its run was stopped. Whether it took effect is not known.`);
  }
}
