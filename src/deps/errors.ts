import { VitrineError, type Value } from "../protocol/index.js";

/** Not a requirement that a session can install. In Python it is a `ValueError`. Nothing was stored. */
export class DepSpecError extends VitrineError {
  override readonly name = "DepSpecError";
  readonly code = "DEP_SPEC";

  constructor(
    readonly spec: string,
    readonly reason: string,
  ) {
    super(`Invalid package specification ${JSON.stringify(spec.slice(0, 80))}: ${reason}`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { spec: this.spec };
  }
}

/** The session's owner has not allowed its code to change the list of packages. Nothing was changed. */
export class RuntimeDepsDisabledError extends VitrineError {
  override readonly name = "RuntimeDepsDisabledError";
  readonly code = "RUNTIME_DEPS_DISABLED";

  constructor(readonly operation: "add" | "remove") {
    super(
      operation === "add"
        ? "Runtime dependency installation is disabled. Packages are configured when the session is opened."
        : "Runtime dependency modification is disabled. Packages are configured when the session is opened.",
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { operation: this.operation };
  }
}

/** Session code has put as many packages on the list as there may be. Nothing was stored. In Python it is a `DepsError`. */
export class DepsFullError extends VitrineError {
  override readonly name = "DepsFullError";
  readonly code = "DEPS_FULL";

  constructor(
    readonly spec: string,
    readonly limit: number,
  ) {
    super(`${spec} was not added: ${String(limit)} packages are on the list, which is as many as there may be.`);
  }

  override details(): Readonly<Record<string, Value>> {
    return { spec: this.spec };
  }
}

/** A package cannot be had here. Nothing was installed. In Python it is a `DepsError`. */
export class DepUnavailableError extends VitrineError {
  override readonly name = "DepsError";
  readonly code = "DEP_UNAVAILABLE";

  constructor(
    readonly spec: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${spec} cannot be installed: ${reason}`, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { spec: this.spec };
  }
}
