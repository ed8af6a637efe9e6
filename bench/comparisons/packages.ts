import type { Claim, Comparison } from "../comparison.js";
import type { PackageSetName } from "../pages/package-sets.js";
import type { Opened } from "./opening.js";

type Figure = "imported";

export interface PackagesSet {
  readonly set: PackageSetName;
  readonly visit: "first" | "repeat";
  readonly claims: Readonly<Record<Figure, Claim>>;
}

const TITLES: Readonly<Record<PackageSetName, string>> = {
  real: "pydantic, pydantic-core and apsw",
  made: "twelve made wheels of 30 MB",
};

export const packagesSets: readonly PackagesSet[] = (["real", "made"] as const).flatMap((set) => [
  packagesSet(set, "first", 1.05),
  packagesSet(set, "repeat", 0.8),
]);

function packagesSet(set: PackageSetName, visit: PackagesSet["visit"], goal: number): PackagesSet {
  const claim = {
    name: `open and import, ${visit} visit, ${TITLES[set]} / bare Pyodide`,
    subject: "Session.open with `packages` and `deps`, then a run that imports all",
    baseline: "loadPyodide in a worker, loadPackage with checkIntegrity, then the import of all",
    goal,
  };
  return { set, visit, claims: { imported: claim } };
}

/** `open` visits a page as the set asks: with nothing in any cache, or with everything. */
export function packagesComparison(
  { set, claims }: PackagesSet,
  open: (page: string) => Promise<Opened>,
): Comparison<Figure> {
  const side = (page: string) => async () => ({ imported: (await open(`${page}.html?${set}`)).firstResult });
  return { claims, subject: side("packages-vitrine"), baseline: side("packages-bare") };
}
