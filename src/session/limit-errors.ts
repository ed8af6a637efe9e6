import { VitrineError, type Value } from "../protocol/index.js";

/** A run asked for more than its limits allow. What was refused did not happen; what was done before stays. */
export abstract class CallLimitError extends VitrineError {
  constructor(
    message: string,
    readonly limit: number,
  ) {
    super(message);
  }

  override details(): Readonly<Record<string, Value>> {
    return { limit: this.limit };
  }
}

/** The run has made all the calls that it may make; reads and `input()` count too. */
export class CallBudgetError extends CallLimitError {
  override readonly name = "CallBudgetError";
  readonly code = "CALL_BUDGET";

  constructor(limit: number) {
    const made = limit.toLocaleString("en-US");
    super(
      `This run has made ${made} calls and may make no more. Split the work into several runs, ` +
        "or open the session with a higher `limits.callsPerRun`.",
      limit,
    );
  }
}

/** Too many calls wait for their answer at once. */
export class OpenCallsError extends CallLimitError {
  override readonly name = "OpenCallsError";
  readonly code = "OPEN_CALLS";

  constructor(limit: number) {
    super(
      `${limit.toLocaleString("en-US")} calls wait for their answer already. Gather fewer at a time, ` +
        "or open the session with a higher `limits.openCalls`.",
      limit,
    );
  }
}

/** Calls are made too deep inside one another: a skill that calls a tool that runs a skill, and so on. */
export class NestingDepthError extends CallLimitError {
  override readonly name = "NestingDepthError";
  readonly code = "NESTING_DEPTH";

  constructor(limit: number) {
    super(
      `Calls are ${String(limit)} deep inside one another, which is as deep as they may be. End the recursion sooner, ` +
        "or open the session with a higher `limits.nestingDepth`.",
      limit,
    );
  }
}
