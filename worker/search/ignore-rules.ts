import { PathGlob } from "./glob.js";

/** Those that count more come first. */
const IGNORE_FILES = [".rgignore", ".ignore", ".gitignore"];

export function isIgnoreFile(path: string): boolean {
  return IGNORE_FILES.includes(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Which files are searched: what ripgrep would, as if the workspace were a repository of Git. Hidden files are not, nor
 * what an ignore file names, unless the glob that is included wants it.
 */
export class IgnoreRules {
  /** By name and folder: `.gitignore`, `src/.gitignore`. */
  readonly #rules = new Map<string, readonly PathGlob[]>();
  readonly #folders = new Map<string, boolean>();
  readonly #include: PathGlob | undefined;
  readonly #below: string;

  /**
   * @param below - where the search begins; what is above it is not asked whether it is ignored.
   * @throws {SyntaxError} for a glob that cannot be read.
   */
  constructor({ include, below }: { readonly include: string | null; readonly below: string }) {
    this.#include = include === null ? undefined : new PathGlob(include);
    this.#below = below;
  }

  /** Takes the rules of an ignore file. */
  add(path: string, text: string): void {
    const globs = text.split(/\r?\n/).flatMap((line) => globOf(line));
    if (globs.length > 0) this.#rules.set(path, globs);
  }

  /** Whether a file below the beginning is searched. */
  takes(path: string): boolean {
    return !this.#inIgnoredFolder(path) && !this.#isIgnored(path, false);
  }

  #inIgnoredFolder(path: string): boolean {
    const folder = folderOf(path);
    if (folder.length <= this.#below.length) return false;
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const isIgnored = this.#inIgnoredFolder(folder) || this.#isIgnored(folder, true);
    this.#folders.set(folder, isIgnored);
    return isIgnored;
  }

  #isIgnored(path: string, isFolder: boolean): boolean {
    const include = this.#include;
    // What is asked for by name counts more than any rule.
    if (include?.fits(path, isFolder) === true) return include.isNegated;
    if (include?.isNegated === false && !isFolder) return true;
    for (const name of IGNORE_FILES) {
      const verdict = this.#verdict(name, path, isFolder);
      if (verdict !== undefined) return verdict;
    }
    return path.slice(path.lastIndexOf("/") + 1).startsWith(".");
  }

  /** Of the nearest folder that says anything the last line. */
  #verdict(name: string, path: string, isFolder: boolean): boolean | undefined {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const prefix = folder === "" ? "" : `${folder}/`;
      const rule = this.#rules.get(prefix + name)?.findLast((glob) => glob.fits(path.slice(prefix.length), isFolder));
      if (rule !== undefined) return !rule.isNegated;
      if (folder === "") return undefined;
    }
  }
}

/** A line that cannot be read says nothing, as with ripgrep. */
function globOf(line: string): PathGlob[] {
  const written = line.replace(/(?<!\\) +$/, "");
  if (written === "" || written.startsWith("#")) return [];
  try {
    return [new PathGlob(written)];
  } catch {
    return [];
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
