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

/** The arguments of a call are nested deeper than values that cross between Python and the page. Nothing was called. */
export class NestedArgumentsError extends VitrineError {
  override readonly name = "ValueError";
  readonly code = "CALL_ARGUMENTS_NESTED";

  constructor(
    /** With its namespace: `tools.curl.get`. */
    readonly callName: string,
    most: number,
  ) {
    super(
      `The arguments of ${callName} are nested more than ${String(most)} levels deep. ` +
        "Hand in something flatter, or JSON as text.",
    );
  }
}

/** The run that waited for the call was stopped. Unless the message says otherwise, it may have taken effect. */
export class CallCancelledError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "CALL_CANCELLED";

  constructor(
    readonly callName: string,
    /** Whether the adapter had been called. */
    readonly hadBegun = true,
  ) {
    const effect = hadBegun ? "Whether it took effect is not known." : "It had not begun, so nothing happened.";
    super(`${callName} was given up because its run was stopped. ${effect}`);
  }
}

/** A tool called another one after its own call had ended. Nothing was called. */
export class CallEndedError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "CALL_ENDED";

  constructor(readonly callName: string) {
    super(
      `${callName} was not called: the call in whose course it was to be made has ended. ` +
        "A tool has to wait for the calls that it makes.",
    );
  }
}

/** A middleware changed more of a call than it may. Nothing was called. */
export class MiddlewareError extends VitrineError {
  override readonly name = "ToolCallError";
  readonly code = "MIDDLEWARE";

  constructor(
    readonly callName: string,
    /** What was changed: a field of the call. */
    readonly field: string,
  ) {
    super(
      `${callName} was not called: a middleware changed its \`${field}\`. ` +
        "It may change the arguments of a call and narrow its signal; to call something else, let the tool do so.",
    );
  }
}
