import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Folders that hold no pages of a site, unless somebody names them. */
const OVERLOOKED = new Set(["node_modules"]);

/** Whether a shell would have taken `text` for a pattern. */
export function isPattern(text: string): boolean {
  return /[*?{[]/.test(text);
}

/** The folder before the first part that is a pattern. */
export function baseOf(pattern: string, cwd: string): string {
  return resolve(cwd, fixedParts(pattern).join("/") || (pattern.startsWith("/") ? "/" : "."));
}

/**
 * Files that a pattern names, sorted, for shells that do not look themselves: `**` is any number of folders, `*` and `?` for
 * letters of a name, `[abc]` for one of them, `{a,b}` for one of several words.
 */
export async function filesMatching(pattern: string, cwd: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const each of alternatives(pattern.replaceAll("\\", "/"))) {
    const parts = each.split("/").filter((part) => part !== "" && part !== ".");
    const rest = parts.slice(fixedParts(each).filter((part) => part !== "" && part !== ".").length);
    await walk(baseOf(each, cwd), rest, found);
  }
  return [...found].sort();
}

/** All files below a folder, sorted. Folders with a dot before their name are not looked into, nor are links to folders. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const found = new Set<string>();
  await walk(folder, ["**"], found);
  return [...found].sort();
}

function fixedParts(pattern: string): string[] {
  const parts = pattern.replaceAll("\\", "/").split("/");
  const first = parts.findIndex(isPattern);
  return first === -1 ? parts.slice(0, -1) : parts.slice(0, first);
}

async function walk(folder: string, parts: readonly string[], found: Set<string>): Promise<void> {
  const [part, ...rest] = parts;
  if (part === undefined) return;
  const isAny = part === "**";
  // Any number of folders may be none.
  if (isAny && rest.length > 0) await walk(folder, rest, found);
  const named = isAny ? undefined : namePattern(part);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const { name } = entry;
    const isOverlooked = name.startsWith(".") ? !part.startsWith(".") : OVERLOOKED.has(name) && part !== name;
    if (isOverlooked || named?.test(name) === false) continue;
    const path = join(folder, name);
    if (!isAny && rest.length > 0) await walk(path, rest, found);
    else if (entry.isDirectory()) await walk(path, isAny ? parts : ["**"], found);
    else if (rest.length === 0 && (await isFile(path))) found.add(path);
  }
}

/** Also one that is a link. */
async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** One part of a path. A set of letters is closed by the first `]`. */
function namePattern(part: string): RegExp {
  const source = part.replaceAll(/\*+|\?|\[!?[^\]]+\]|[^*?[]+|\[/g, (piece) => {
    if (piece.startsWith("*")) return "[^/]*";
    if (piece === "?") return "[^/]";
    if (piece.startsWith("[") && piece.length > 1) {
      const isNot = piece.startsWith("[!");
      return `[${isNot ? "^" : ""}${piece.slice(isNot ? 2 : 1, -1).replaceAll(/[\\^]/g, String.raw`\$&`)}]`;
    }
    return piece.replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source}$`, "u");
}

/** A pattern without braces for each word in them. */
function alternatives(pattern: string): string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (braces?.[1] === undefined) return [pattern];
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + braces[0].length);
  return braces[1].split(",").flatMap((word) => alternatives(`${before}${word}${after}`));
}
