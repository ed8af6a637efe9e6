/** A glob as the text of a regular expression for paths: `*`, `?` and `[…]` stay within a folder, `**` goes through them. */
export function globSource(glob: string): string {
  let source = "";
  let braces = 0;
  for (let at = 0; at < glob.length;) {
    const rest = glob.slice(at);
    const character = rest.charAt(0);
    if (rest.startsWith("**/") && (at === 0 || glob[at - 1] === "/")) {
      source += "(?:[^/]+/)*";
      at += 3;
    } else if (rest === "**" && (at === 0 || glob[at - 1] === "/")) {
      source += ".+";
      at += 2;
    } else if (character === "*") {
      source += "[^/]*";
      at += /^\*+/.exec(rest)?.[0].length ?? 1;
    } else if (character === "[") {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
      source += set === null ? "\\[" : `(?!/)[${set[1] === "" ? "" : "^"}${escapedSet(set[2] ?? "")}]`;
      at += set?.[0].length ?? 1;
    } else if (character === "\\" && rest.length > 1) {
      source += escaped(rest.charAt(1));
      at += 2;
    } else {
      if (character === "?") source += "[^/]";
      else if (character === "{" && rest.includes("}")) {
        source += "(?:";
        braces += 1;
      } else if (character === "}" && braces > 0) {
        source += ")";
        braces -= 1;
      } else if (character === "," && braces > 0) source += "|";
      else source += escaped(character);
      at += 1;
    }
  }
  return source + ")".repeat(braces);
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
}

function escapedSet(set: string): string {
  return set.replace(/[\\[\]^]/g, "\\$&");
}

/** A glob of an ignore file, or of `--glob`: one without a slash in it fits in any folder. */
export class PathGlob {
  /** Begins with `!`. */
  readonly isNegated: boolean;
  readonly #isForFolders: boolean;
  readonly #expression: RegExp;

  /** @throws {SyntaxError} for a set that is none, `[z-a]`. */
  constructor(written: string) {
    this.isNegated = written.startsWith("!");
    let glob = written.replace(/^!/, "").replace(/^\\(?=[!#])/, "");
    this.#isForFolders = glob.endsWith("/");
    if (this.#isForFolders) glob = glob.slice(0, -1);
    const isAnchored = glob.includes("/");
    this.#expression = new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${globSource(glob.replace(/^\//, ""))}$`, "s");
  }

  fits(path: string, isFolder: boolean): boolean {
    return (isFolder || !this.#isForFolders) && this.#expression.test(path);
  }
}
