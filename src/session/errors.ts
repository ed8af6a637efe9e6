import { VitrineError, type Problem } from "../protocol/index.js";

/** The session was closed. Open another on the same storage. */
export class SessionClosedError extends VitrineError {
  override readonly name = "SessionClosedError";
  readonly code = "SESSION_CLOSED";

  constructor() {
    super("Session is closed");
  }
}

/** `input()` was called and nobody is there to answer. */
export class NoInputError extends VitrineError {
  override readonly name = "EOFError";
  readonly code = "NO_INPUT";

  constructor() {
    super("Nobody can answer input() in this session. Pass the value in the code, or open it with `onInput`.");
  }
}

/** The helpers of a run asked for something that nobody on the page answers. */
export class NoHelperError extends VitrineError {
  override readonly name = "RPCTransportError";
  readonly code = "NO_HELPER";

  constructor(kind: string) {
    super(`Nobody on the page answers "${kind}" in this run.`);
  }
}

/** A call came from the interpreter while no run was going on. */
export class NoRunError extends VitrineError {
  override readonly name = "RPCTransportError";
  readonly code = "NO_RUN";

  constructor() {
    super("A call was made while no run was going on. Await background tasks before the run ends.");
  }
}

/** The options do not make a session. */
export class SessionOptionsError extends TypeError {
  override readonly name = "SessionOptionsError";
  readonly code = "SESSION_OPTIONS";
}

/** Code that the page ran for itself, to install a package for instance, failed. */
export class RunFailedError extends VitrineError {
  override readonly name = "RunFailedError";
  readonly code: string;
  readonly pythonType: string;

  constructor(error: { readonly code: string; readonly pythonType: string; readonly message: string }) {
    super(error.message);
    this.code = error.code;
    this.pythonType = error.pythonType;
  }
}

/** Something is wrong with a tool beside any call of it: its server cannot be reached, for instance. Other tools are not touched. */
export class ToolProblemError extends VitrineError {
  override readonly name = "ToolProblemError";
  readonly code: string;

  constructor(readonly problem: Problem) {
    super(`${problem.file}${problem.field === undefined ? "" : `: ${problem.field}`}: ${problem.message}`);
    this.code = problem.code;
  }
}

/** What write_code has looked at in Python could not be looked at, or not in time. No text was changed. */
export class TextInterpreterError extends VitrineError {
  override readonly name = "TextInterpreterError";
  readonly code = "TEXT_INTERPRETER";

  constructor(reason: string, options?: ErrorOptions) {
    super(`The interpreter that looks at texts did not answer: ${reason}.`, options);
  }
}
