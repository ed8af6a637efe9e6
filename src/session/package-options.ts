import facts from "virtual:pyodide-release";

import { Packages, PackagesLock, type PackageSourceOptions } from "../deps/index.js";
import { lockfileUrl } from "../executor/index.js";
import { optionCheck, type OptionCheck } from "../options/index.js";
import { matchesHost } from "../tools/index.js";
import { SessionOptionsError } from "./errors.js";
import type { AutoInstall, SessionOptions } from "./session-options.js";

type PackageOptions = Pick<
  SessionOptions,
  | "packages"
  | "packagesURL"
  | "deps"
  | "allowedHosts"
  | "pyodideBaseURL"
  | "autoInstall"
  | "allowRuntimeDeps"
  | "onApproval"
>;

/** What a session with these options can take packages from. */
export function packagesFor(options: PackageOptions): Packages {
  const { allowedHosts, pyodideBaseURL } = options;
  return new Packages({
    sources: packageSources(options),
    allows: (address) => allowedHosts?.some((pattern) => matchesHost(pattern, address)) ?? true,
    ownLockfile: () => lockfileUrl(pyodideBaseURL),
    ownFiles: facts.packageFilesURL,
  });
}

/** What becomes of packages that code imports. */
export function autoInstallOf(options: PackageOptions): AutoInstall {
  const { allowRuntimeDeps = true, autoInstall, onApproval } = options;
  if (!allowRuntimeDeps || packageSources(options).length === 0) return "never";
  return autoInstall ?? (onApproval === undefined ? "never" : "ask");
}

/** @throws {OptionError} @throws {SessionOptionsError} */
export function checkPackages(options: Partial<PackageOptions>): void {
  const { packages = [], deps = [] } = options;
  if (options.packages !== undefined && olderFolder(options) !== undefined) {
    throw new SessionOptionsError("`packagesURL` is a folder among `packages`: pass `packages` alone.");
  }
  packages.forEach(checkSource);
  if (deps.length > 0 && packageSources(options).length === 0) throw packagesWithoutSource(deps);
}

/** The sources of a session's packages, by whichever name they were given. */
export function packageSources(options: Partial<PackageOptions>): readonly PackageSourceOptions[] {
  const folder = olderFolder(options);
  return options.packages ?? (folder === undefined ? [] : [{ folder }]);
}

function olderFolder(options: Partial<PackageOptions>): string | undefined {
  // oxlint-disable-next-line typescript/no-deprecated -- Callers may go on using it.
  return options.packagesURL;
}

function checkSource(source: unknown, index: number): void {
  const of = `packages[${String(index)}] of Session.open`;
  const given = typeof source === "object" && source !== null ? source : {};
  const kind = (["folder", "lockfile", "index"] as const).find((name) => name in given);
  if (kind === undefined) {
    throw new SessionOptionsError(
      `${of} names no source: it is { folder: "wheels/" }, { lockfile: "pyodide" } or { index: "https://…/simple/" }.`,
    );
  }
  checks[kind](of)(source);
  if (!("lock" in given) || given.lock === undefined) return;
  const lock = PackagesLock.safeParse(given.lock);
  if (lock.success) return;
  const [issue] = lock.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new SessionOptionsError(
    `\`lock\` of ${of} is not what \`session.deps.lock()\` gives: ${where}: ${issue?.message ?? ""}.`,
  );
}

const checks = {
  folder: (of) =>
    optionCheck<Extract<PackageSourceOptions, { folder: string }>>(of, { folder: "string", lock: "any?" }),
  lockfile: (of) =>
    optionCheck<Extract<PackageSourceOptions, { lockfile: string }>>(of, {
      lockfile: "string",
      files: "string?",
      lock: "any?",
    }),
  index: (of) =>
    optionCheck<Extract<PackageSourceOptions, { index: string }>>(of, {
      index: "string",
      hosts: "array?",
      lock: "any?",
    }),
} satisfies Record<string, (of: string) => OptionCheck>;

function packagesWithoutSource(deps: readonly string[]): SessionOptionsError {
  return new SessionOptionsError(
    `deps names ${deps.join(", ")}, and the session has no packages to take it from: ` +
      "pass `packages`, such as [{ folder: … }] with the address of a folder of wheels with an index.json.",
  );
}
