import { DepUnavailableError, type PackageContent } from "../deps/index.js";
import { packagesIn } from "./packages-for.js";
import type { SiteFolder } from "./site-folder.js";

export interface Together {
  /** The packages and all that they need, as far as that is there. */
  readonly contents: readonly PackageContent[];
  /** Why some cannot be had from the folder. */
  readonly failures: readonly DepUnavailableError[];
}

/** What a session would get for packages that has only the folder: all at once, or where that is impossible each by itself. */
export async function packagesTogether(folder: SiteFolder, names: Iterable<string>): Promise<Together> {
  const packages = packagesIn(folder);
  const [first, ...others] = names;
  if (first === undefined) return { contents: [], failures: [] };
  try {
    return { contents: await packages.fetch(first, others, { installed: [] }), failures: [] };
  } catch (error) {
    if (!(error instanceof DepUnavailableError)) throw error;
  }
  const contents: PackageContent[] = [];
  const failures: DepUnavailableError[] = [];
  for (const name of [first, ...others]) {
    try {
      contents.push(...(await packages.fetch(name, [], { installed: [] })));
    } catch (error) {
      if (!(error instanceof DepUnavailableError)) throw error;
      failures.push(error);
    }
  }
  return { contents, failures };
}
