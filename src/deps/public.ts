export { DepsFullError, DepSpecError, DepUnavailableError, RuntimeDepsDisabledError } from "./errors.js";
export type {
  FolderSourceOptions,
  IndexSourceOptions,
  LockfileSourceOptions,
  PackageSourceOptions,
} from "./packages-options.js";
export type { PackagesCache } from "./packages-cache.js";
export type { CachedPackageFile } from "./sources/package-cache.js";
export type { PackagesLock } from "./sources/packages-lock.js";
export type { WhyUnavailable } from "./sources/unavailable.js";
