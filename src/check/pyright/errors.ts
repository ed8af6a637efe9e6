import { VitrineError } from "../../protocol/index.js";

/** The type checker's worker did not start. `start()` tries again, and so does a check five minutes later. */
export class TypeCheckerStartError extends VitrineError {
  override readonly name = "TypeCheckerStartError";
  readonly code = "TYPE_CHECKER_START";

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The type checker did not start: ${reason}. \`worker\` is the address of dist/pyright.worker.js of the package ` +
        "browser-basedpyright, served as it is from the page's own origin, or a function that makes a worker of it.",
      options,
    );
  }
}

/** The type checker's worker ended, or said what it never should. The next check starts another. */
export class TypeCheckerLostError extends VitrineError {
  override readonly name = "TypeCheckerLostError";
  readonly code = "TYPE_CHECKER_LOST";

  constructor(reason: string) {
    super(`The type checker ended unexpectedly: ${reason}. The next check starts it anew.`);
  }
}

/**
 * The type checker took too long and was ended. After a check the next one starts it anew; after a start `start()` does, or
 * a check five minutes later.
 */
export class TypeCheckTimeoutError extends VitrineError {
  override readonly name = "TypeCheckTimeoutError";
  readonly code = "TYPE_CHECK_TIMEOUT";

  /** @param limit - in milliseconds. */
  constructor(
    readonly what: "start" | "check",
    readonly limit: number,
  ) {
    const option = what === "start" ? "startTimeout" : "timeout";
    super(
      `The type checker's ${what} took longer than ${String(limit / 1000)} seconds, so it was ended. ` +
        `Raise \`${option}\`${what === "check" ? " or check less code at once" : ""}.`,
    );
  }
}

/** The type checker was closed. Make another. */
export class TypeCheckerClosedError extends VitrineError {
  override readonly name = "TypeCheckerClosedError";
  readonly code = "TYPE_CHECKER_CLOSED";

  constructor() {
    super("The type checker is closed. Make another with pyrightTypeChecker().");
  }
}
