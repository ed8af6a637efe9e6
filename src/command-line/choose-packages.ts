import { readFile } from "node:fs/promises";
import { join } from "node:path";

import {
  DepUnavailableError,
  type PackageContent,
  type Packages,
  type PackageSourceOptions,
  type WhyUnavailable,
} from "../deps/index.js";
import { packagesFor, type PackagesForOptions } from "./packages-for.js";
import type { SiteFolder } from "./site-folder.js";

export interface ChooseOptions extends PackagesForOptions {
  /** Whether the newest comes of all packages, also where the folder has one that will do. */
  readonly upgrade: boolean;
  readonly onProgress?: ((received: number, total: number | undefined, filename: string) => void) | undefined;
}

/** Reasons that go away where other files are taken than the folder has. */
const MAY_CHANGE: ReadonlySet<WhyUnavailable> = new Set(["conflict", "no_wheel"]);

/** Reasons that are about a file or a server, whichever requirement led to it. */
const OF_FILES: ReadonlySet<WhyUnavailable> = new Set(["hash", "damaged", "unreachable", "source", "host"]);

/**
 * The files for requirements and all that they need, chosen together. What the folder has stays where it will do; else it is
 * looked for in the sources like the rest.
 *
 * @throws {DepSpecError} @throws {DepUnavailableError} about the requirement that cannot be met.
 */
export async function choosePackages(
  folder: SiteFolder,
  specs: readonly string[],
  options: ChooseOptions,
): Promise<readonly PackageContent[]> {
  const { sources, upgrade } = options;
  const own = { folder: folder.address };
  if (!upgrade) {
    try {
      return await choose([own, ...sources], []);
    } catch (error) {
      const mayChange = error instanceof DepUnavailableError && MAY_CHANGE.has(error.why);
      if (!mayChange || folder.sound.length === 0) throw error;
    }
  }
  return await choose([...sources, own], upgrade ? [] : await contentsOf(folder));

  function choose(
    from: readonly PackageSourceOptions[],
    installed: readonly PackageContent[],
  ): Promise<readonly PackageContent[]> {
    return fetchAll(packagesFor(folder, { ...options, sources: from }), specs, installed, options.onProgress);
  }
}

async function fetchAll(
  packages: Packages,
  specs: readonly string[],
  installed: readonly PackageContent[],
  onProgress: ChooseOptions["onProgress"],
): Promise<readonly PackageContent[]> {
  const [first, ...others] = specs;
  if (first === undefined) return [];
  const work = new AbortController();
  const { signal } = work;
  try {
    return await packages.fetch(first, others, {
      installed,
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  } catch (error) {
    // Where one fails the others stop.
    work.abort();
    if (!(error instanceof DepUnavailableError) || OF_FILES.has(error.why)) throw error;
    // It names the first, whichever it is about. With a signal that has come already lists are read and no files fetched.
    for (const spec of specs) {
      await packages.fetch(spec, [], { installed, signal }).catch((one: unknown) => {
        if (!(one instanceof DepUnavailableError) || !OF_FILES.has(one.why)) throw one;
      });
    }
    throw error;
  }
}

/** What the folder has, as what is installed. */
async function contentsOf(folder: SiteFolder): Promise<readonly PackageContent[]> {
  const contents: PackageContent[] = [];
  for (const { entry, name, version, runs, found } of folder.sound) {
    if (name === undefined || version === undefined || found === undefined || !runs) continue;
    const bytes = await readFile(join(folder.path, entry.file));
    const { sha256 } = found;
    const unpacked = { size: 0, files: 0 };
    contents.push({ filename: entry.file, bytes, name, version, sha256, verified: false, unpacked, needs: [] });
  }
  return contents;
}
