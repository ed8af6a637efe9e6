import { Packages, type PackageCache, type PackageSourceOptions } from "../deps/index.js";
import { addressesOf } from "./ask-address.js";
import type { SiteFolder } from "./site-folder.js";
import { UnfinishedFiles } from "./unfinished-files.js";

/** Addresses of what belongs to the Pyodide that comes with Vitrine. */
export interface OwnPyodide {
  /** Its pyodide-lock.json. */
  readonly lockfile: string;
  /** Where Pyodide says that the files of that lie. */
  readonly files: string;
}

export interface PackagesForOptions {
  /** Asked one after the other. */
  readonly sources: readonly PackageSourceOptions[];
  readonly own: OwnPyodide;
  readonly cache: PackageCache;
}

/** Packages as a session with these sources would have them. */
export function packagesFor(folder: SiteFolder, { sources, own, cache }: PackagesForOptions): Packages {
  return new Packages({
    sources,
    allows: () => true,
    ownLockfile: () => own.lockfile,
    ownFiles: own.files,
    cache,
    ask: addressesOf(folder, placesOf(sources, own)),
  });
}

/** Packages as a session would have them that has nothing but the folder. */
export function packagesIn(folder: SiteFolder): Packages {
  return packagesFor(folder, {
    sources: [{ folder: folder.address }],
    own: { lockfile: "", files: "" },
    cache: new UnfinishedFiles(folder),
  });
}

/** Where on this machine lockfiles and their files lie. */
function placesOf(sources: readonly PackageSourceOptions[], own: OwnPyodide): readonly string[] {
  const places = sources.flatMap((source) => {
    if (!("lockfile" in source)) return [];
    const { lockfile, files } = source;
    const list = lockfile === "pyodide" ? own.lockfile : new URL(".", lockfile).href;
    return files === undefined ? [list] : [list, files];
  });
  return places.filter((place) => place.startsWith("file:"));
}
