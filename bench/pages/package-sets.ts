/** Packages that are opened with, and imported. */
export interface PackageSet {
  readonly packages: readonly string[];
  readonly modules: readonly string[];
  /** What packages need, by name. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
}

const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, "0"));

/** Real packages with compiled code, and wheels that the benchmark makes; `packages/` says how. */
export const packageSets = {
  real: {
    packages: ["pydantic", "apsw"],
    modules: ["pydantic", "pydantic_core", "apsw"],
    needs: {
      pydantic: ["annotated-types", "pydantic-core", "typing-extensions", "typing-inspection"],
      "pydantic-core": ["typing-extensions"],
      "typing-inspection": ["typing-extensions"],
    },
  },
  made: {
    packages: numbers.map((number) => `made-package-${number}`),
    modules: numbers.map((number) => `made_package_${number}`),
    needs: {},
  },
} as const satisfies Record<string, PackageSet>;

export type PackageSetName = keyof typeof packageSets;

/** The set that the address of the page names. */
export function packageSetHere(): PackageSet & { readonly name: PackageSetName; readonly lockfile: string } {
  const name: PackageSetName = location.search.includes("made") ? "made" : "real";
  return { ...packageSets[name], name, lockfile: new URL(`/packages/${name}/pyodide-lock.json`, location.origin).href };
}

/** Python that imports all of them, and answers how many there are. */
export function importAll({ modules }: PackageSet): string {
  return `import ${modules.join(", ")}\n${String(modules.length)}`;
}
