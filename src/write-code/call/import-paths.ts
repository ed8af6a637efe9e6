/** How a file may end that an import names without its ending, the likeliest first. */
const PYTHON_ENDINGS = [".py", "/__init__.py", ".pyi"];
const SCRIPT_ENDINGS = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".css", ".json"];
const INDEX_ENDINGS = ["/index.ts", "/index.tsx", "/index.js", "/index.jsx"];
const OTHER_ENDINGS = [
  ".go",
  ".rs",
  ".java",
  ".kt",
  ".rb",
  ".php",
  ".h",
  ".hpp",
  ".c",
  ".cpp",
  ".cs",
  ".swift",
  ".sql",
  ".html",
  ".scss",
  ".md",
  ".yaml",
  ".yml",
  ".toml",
];
/** Folders in which projects keep their modules. */
const SOURCE_FOLDERS = ["src", "lib", "app"];

/** Where an import stands. */
interface ImportPlace {
  readonly importer: string;
  readonly root: string;
}

/**
 * Where the file may be that an import names, the likeliest place first: `pkg.mod`, `pkg/mod.py`, `.mod`, `./mod`,
 * `../mod.js`, `@/mod`, and whole statements such as `from pkg.mod import name`.
 *
 * @param importer - the path of the file that imports.
 * @param root - the folder that paths and modules are counted from, empty for `/workspace`.
 * @param stems - of the files that there are, as `stemsOf` gives them: places that none of these may be are left out, for a long
 *   list of imports has hundreds of places for each.
 */
export function importPaths(
  name: string,
  { importer, root, stems }: ImportPlace & { readonly stems?: ReadonlySet<string> },
): string[] {
  const folder = importer.split("/").slice(0, -1).join("/");
  const places = new Places(stems);
  for (const module of modulesIn(name)) {
    const isRelative = /^\.{1,2}(?:\/|$)/.test(module);
    if (module.includes("/") || isRelative) {
      const bare = module.replace(/^(?:@|\/workspace)\//, "");
      for (const base of isRelative
        ? [folder]
        : [root, folder, ...SOURCE_FOLDERS.map((source) => within(root, source))]) {
        addPath(places, resolved(base, bare));
      }
      continue;
    }
    // Python's own relative names: one dot is the folder of the file, each further one the folder above.
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    if (dots > 0) {
      const base = resolved(folder, "../".repeat(dots - 1));
      if (base !== null) addModule(places, base, module.slice(dots));
      continue;
    }
    // `mod.py` is a file, and `pkg.mod` is not: both have one dot.
    for (const base of [root, folder, ...SOURCE_FOLDERS.map((source) => within(root, source))]) {
      places.add(within(base, module));
      addModule(places, base, module);
    }
  }
  places.delete("");
  places.delete(importer);
  return [...places];
}

/** What a line of imports names: `from a.b import c, d` names `a.b`, `a.b.c` and `a.b.d`. */
function modulesIn(name: string): string[] {
  const line = name.slice(0, LONGEST_LINE).trim().replace(/;$/, "");
  const [, from, imported = ""] = /^from\s+(\S+)\s+import\s+(\S[^]*)$/.exec(line) ?? [];
  if (from !== undefined) {
    const names = imported.split(",", MOST_NAMES).map((part) => /[\w$]+/.exec(part)?.[0] ?? "");
    const joint = from.endsWith(".") ? "" : ".";
    return [...names.filter((part) => part !== "").map((part) => `${from}${joint}${part}`), from];
  }
  const [, quoted] = /["'`]([^"'`]+)["'`]/.exec(line) ?? [];
  const word = quoted ?? /^(?:import\s+)?([^\s,;:("']+)/.exec(line)?.[1] ?? "";
  return word === "" ? [] : [word];
}

/** Characters of an import that are read, and names of one. */
const LONGEST_LINE = 1000;
const MOST_NAMES = 8;
/** A module, a class of it, a method of that. */
const MOST_PARTS_OF_A_NAME = 3;

/** A module, and the ones it may be a name of. */
function addModule(places: Places, base: string, module: string): void {
  const steps = module.split(".").filter((step) => step !== "");
  if (steps.length === 0) places.add(within(base, "__init__.py"));
  for (let count = steps.length; count > Math.max(0, steps.length - MOST_PARTS_OF_A_NAME); count--) {
    places.addEndings(within(base, steps.slice(0, count).join("/")));
  }
}

function addPath(places: Places, path: string | null): void {
  if (path === null) return;
  if (path !== "") places.add(path);
  // A script names the file that will be built of another: `./mod.js` is `mod.ts`.
  places.addEndings(path);
  if (/\.[cm]?jsx?$/.test(path)) places.addEndings(path.replace(/\.[cm]?jsx?$/, ""));
}

/** The places of an import, each once, in their order. */
class Places extends Set<string> {
  readonly #stems: ReadonlySet<string> | undefined;

  /** @param stems - of the files that there are: what none of them is by any ending is no place. Default: all are. */
  constructor(stems: ReadonlySet<string> | undefined) {
    super();
    this.#stems = stems;
  }

  addEndings(stem: string): void {
    if (stem === "" || this.#stems?.has(stem) === false) return;
    for (const ending of ENDINGS) this.add(stem + ending);
  }
}

const ENDINGS = [...PYTHON_ENDINGS, ...SCRIPT_ENDINGS, ...INDEX_ENDINGS, ...OTHER_ENDINGS];

/** What paths begin with before one of their dots or slashes: all that a known ending may stand behind. */
export function stemsOf(paths: Iterable<string>): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const path of paths) for (const { index } of path.matchAll(/[./]/g)) stems.add(path.slice(0, index));
  return stems;
}

function within(base: string, path: string): string {
  return base === "" ? path : `${base}/${path}`;
}

/** Null where the path leads out of the workspace. */
function resolved(base: string, path: string): string | null {
  const steps: string[] = [];
  for (const step of [...base.split("/"), ...path.split("/")]) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return null;
  }
  return steps.join("/");
}
