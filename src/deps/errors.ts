import { VitrineError, type Value } from "../protocol/index.js";
import type { WhyUnavailable } from "./sources/unavailable.js";

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

/**
 * There is no room for a package: the list is full, or with it the session's packages would unpack to more than they may.
 * Nothing was stored or installed. In Python it is a `DepsError`.
 */
export class DepsFullError extends VitrineError {
  override readonly name = "DepsFullError";
  readonly code = "DEPS_FULL";

  /** @param unpacked - what all packages would come to, where that is the limit. */
  constructor(
    readonly spec: string,
    readonly limit: number,
    unpacked?: { readonly size: number; readonly unit: "bytes" | "files" },
  ) {
    const most = limit.toLocaleString("en-US");
    super(
      unpacked === undefined
        ? `${spec} was not added: ${most} packages are on the list, which is as many as there may be.`
        : `${spec} was not added: with it, the session's packages come to ${unpacked.size.toLocaleString("en-US")} ${unpacked.unit} ` +
            `unpacked, and there may be ${most} (\`limits.${LIMITS[unpacked.unit]}\`).`,
    );
  }

  override details(): Readonly<Record<string, Value>> {
    return { spec: this.spec };
  }
}

const LIMITS = { bytes: "packagesSize", files: "packagesFiles" } as const;

/** A package cannot be had here. Nothing was installed. In Python it is a `DepsError`. */
export class DepUnavailableError extends VitrineError {
  override readonly name = "DepsError";
  readonly code = "DEP_UNAVAILABLE";

  constructor(
    readonly spec: string,
    readonly reason: string,
    /** What kind of reason it is. */
    readonly why: WhyUnavailable,
    options?: ErrorOptions,
  ) {
    super(`${spec} cannot be installed: ${reason}`, options);
  }

  override details(): Readonly<Record<string, Value>> {
    return { spec: this.spec, why: this.why };
  }
}
