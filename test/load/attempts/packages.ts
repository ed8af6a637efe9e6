import { everywhere, type LoadAttempt } from "./attempt.js";

/** What the folder and the index beside the page have: see vite-plugin-hostile-packages.ts. */
export const packageAttempts: readonly LoadAttempt[] = [
  {
    name: "an archive whose directory has four hundred thousand files",
    entry: "packages",
    code: "deps.add('many-files')",
    refusedWith: "DEPS_FULL",
    says: "400",
    isSliced: true,
    bound: "packages",
  },
  {
    name: "an archive whose METADATA unpacks to four hundred million bytes",
    entry: "packages",
    code: "deps.add('lies')",
    refusedWith: "DEP_UNAVAILABLE",
    says: "damaged",
    isSliced: false,
    bound: "packages",
  },
  {
    name: "a METADATA with a million requirements",
    entry: "packages",
    code: "deps.add('many-needs')",
    refusedWith: "DEP_UNAVAILABLE",
    says: "damaged",
    isSliced: false,
    bound: "packages",
  },
  {
    name: "a package that needs five thousand others",
    entry: "packages",
    code: "deps.add('other-needs')",
    refusedWith: "DEP_UNAVAILABLE",
    says: "needs too many packages",
    isSliced: true,
    bound: "packages",
    harmless: everywhere("a quick machine goes through five thousand needs in less time"),
  },
  {
    name: "an index with a hundred thousand files of a package",
    entry: "packages",
    code: "deps.add('many<1')",
    refusedWith: "DEP_UNAVAILABLE",
    isSliced: true,
    // Text is decoded quickly: many pieces of it in the time that work may take at a stretch.
    allows: { decoded: 20_000_000 },
    bound: "packages",
  },
  {
    name: "an index whose page is a list of three million lists",
    entry: "packages",
    code: "deps.add('nested')",
    refusedWith: "DEP_UNAVAILABLE",
    isSliced: true,
    // Text is decoded quickly: many pieces of it in the time that work may take at a stretch.
    allows: { decoded: 20_000_000 },
    bound: "packages",
  },
];
