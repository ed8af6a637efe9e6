import { CellPackageError } from "./errors.js";

export function sourcelessPackages(deps: readonly string[]): CellPackageError {
  return new CellPackageError(
    `This cell asks for ${deps.join(", ")} and names no folder to take it from: add \`packages\` with the address of a ` +
      "folder of wheels that has an index.json.",
  );
}

/** A session was opened without a folder of packages that another of its cells names. */
export function packagesMissing(session: string, folders: readonly string[]): CellPackageError {
  return new CellPackageError(
    `The session “${session}” was opened without the packages of ${folders.join(", ")}, which this cell names: ` +
      "reset the session, and name the same `packages` in all of its cells.",
  );
}

/** @param reasons - a sentence for each package. */
export function refusedPackages(reasons: readonly string[], cause?: unknown): CellPackageError {
  const [reason = ""] = reasons;
  const more = reasons.length > 1 ? ` ${String(reasons.length - 1)} more cannot be installed either.` : "";
  return new CellPackageError(`A package of this cell cannot be installed. ${reason}${more}`, { cause });
}
