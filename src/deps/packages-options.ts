import type { PackagesLock } from "./sources/index.js";

/** A folder of the site with wheels, and an `index.json` that lists them. */
export interface FolderSourceOptions {
  /** Its address. */
  readonly folder: string;
  /** Takes only the files of a lock. */
  readonly lock?: PackagesLock;
}

/** The packages that were built for Pyodide, from a mirror. */
export interface LockfileSourceOptions {
  /** Address of a `pyodide-lock.json`, or `"pyodide"` for the one that comes with the interpreter. */
  readonly lockfile: string;
  /**
   * Address of the folder with its files. Default: where the lockfile lies; for `"pyodide"` the address that Pyodide
   * itself names for its release, which is a host of others.
   */
  readonly files?: string;
  /** Takes only the files of a lock. */
  readonly lock?: PackagesLock;
}

/** A simple index in JSON (PEP 691): pure wheels, and those that are compiled for Pyodide. */
export interface IndexSourceOptions {
  /** Its address: the one under which `NAME/` lies. */
  readonly index: string;
  /** Hosts that its files may lie at, beside its own. */
  readonly hosts?: readonly string[];
  /** Takes only the files of a lock. */
  readonly lock?: PackagesLock;
}

/** Where a session's packages come from. */
export type PackageSourceOptions = FolderSourceOptions | LockfileSourceOptions | IndexSourceOptions;
