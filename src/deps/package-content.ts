import type { PackageSourceOptions } from "./packages-options.js";
import type { ComingFiles } from "./sources/coming-files.js";
import type { PackageCache } from "./sources/package-cache.js";
import type { FetchAddress } from "./sources/package-downloads.js";

/** A package, ready to be unpacked: a wheel, or an archive of shared libraries. */
export interface PackageContent {
  readonly filename: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Canonical. */
  readonly name: string;
  readonly version: string;
  /** Of the bytes; hexadecimal. */
  readonly sha256: string;
  /** Whether its source names that hash: every byte is then what the source means. */
  readonly verified: boolean;
  /** What it comes to, unpacked. */
  readonly unpacked: { readonly size: number; readonly files: number };
  /** Names of the packages that it needs. */
  readonly needs: readonly string[];
  /** Requirements (PEP 508) that its source says in the place of its METADATA. */
  readonly requires?: readonly string[] | undefined;
  /** Modules that it brings, where its source says so. */
  readonly imports?: readonly string[] | undefined;
}

/** What would be fetched for a package. */
export interface PackagePlan {
  readonly filename: string;
  readonly name: string;
  readonly version: string;
  /** Bytes to fetch, where the source or its server says so; 0 for a file that is kept from before. */
  readonly size: number | undefined;
  /** Where it comes from. */
  readonly address: string;
}

export interface PackagesParts {
  readonly sources: readonly PackageSourceOptions[];
  /** Whether the session may talk to the host of an address. */
  readonly allows: (address: URL) => boolean;
  /** Where the interpreter's own lockfile lies. */
  readonly ownLockfile: () => string;
  /** The folder that Pyodide itself names for the files of its lockfile. */
  readonly ownFiles: string;
  /** Where files are kept. Default: where this browser keeps them for all sessions. */
  readonly cache?: PackageCache;
  /** How addresses are asked. Default: by the browser. */
  readonly ask?: FetchAddress;
}

export interface FetchOptions {
  /** What is installed already, which stays where it can. */
  readonly installed: readonly PackageContent[];
  /** Files that are on their way for somebody else, too. Default: none. */
  readonly coming?: ComingFiles;
  /** Hears of each file as it has come, and may refuse it: the request fails with what it throws. */
  readonly onContent?: (content: PackageContent) => void;
  /** Bytes that have come, of so many where that is known. */
  readonly onProgress?: (received: number, total: number | undefined, filename: string) => void;
  readonly signal?: AbortSignal;
}
