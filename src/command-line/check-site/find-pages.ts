import { stat } from "node:fs/promises";
import { dirname, extname, relative, resolve, sep } from "node:path";

import { CommandUsageError } from "../errors.js";
import { baseOf, filesBelow, filesMatching, isPattern } from "./glob.js";

/** The pages to look at, and the folder that their site is served from. */
export interface FoundPages {
  readonly root: string;
  /** Paths of files, sorted. */
  readonly files: readonly string[];
}

interface Given {
  /** The folder that it is, or lies in. */
  readonly folder: string;
  readonly files: readonly string[];
}

/**
 * The HTML files among what was named: files, folders, patterns.
 *
 * @param root - the folder of the site; undefined: the one that all of it lies in.
 * @throws {CommandUsageError} where there is none, or one lies outside of the root.
 */
export async function findPages(
  names: readonly string[],
  { cwd, root: said }: { readonly cwd: string; readonly root: string | undefined },
): Promise<FoundPages> {
  const given = await Promise.all(names.map((name) => look(name, cwd)));
  const all = given.flatMap(({ files }) => files);
  const files = [...new Set(all.filter((file) => hasEnding(file, [".html", ".htm"])))].sort();
  if (files.length === 0) throw noPages(names, all);
  // A shell names what is beside the pages too, fonts for instance: what has no page says nothing of the root.
  const folders = given.filter((each) => each.files.some((file) => files.includes(file))).map(({ folder }) => folder);
  const root = said === undefined ? commonFolder(folders) : resolve(cwd, said);
  const outside = files.find((file) => !isBelow(root, file));
  if (outside !== undefined) {
    throw new CommandUsageError(`${relative(cwd, outside)} is not below ${relative(cwd, root) || "."}, the --root.`);
  }
  return { root, files };
}

/** Whether `path` is `folder` or lies in it. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

async function look(name: string, cwd: string): Promise<Given> {
  const path = resolve(cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return { folder: path, files: await filesBelow(path) };
  if (found !== undefined) return { folder: dirname(path), files: [path] };
  if (!isPattern(name)) throw new CommandUsageError(`There is no file or folder ${JSON.stringify(name)}.`);
  const files = await filesMatching(name, cwd);
  if (files.length === 0) throw new CommandUsageError(`Nothing matches ${JSON.stringify(name)}.`);
  return { folder: baseOf(name, cwd), files };
}

function noPages(names: readonly string[], all: readonly string[]): CommandUsageError {
  const source = all.find((file) => hasEnding(file, [".md", ".mdx", ".rst", ".ipynb"]));
  const where = names.join(" ");
  return new CommandUsageError(
    source === undefined
      ? `There is no HTML file in ${where}.`
      : `There is no HTML file in ${where}, but ${extname(source)} files: build the site first, and name the folder that it is built into.`,
  );
}

function hasEnding(file: string, endings: readonly string[]): boolean {
  return endings.includes(extname(file).toLowerCase());
}

function commonFolder(folders: readonly string[]): string {
  return folders.reduce((common, folder) => {
    let both = common;
    while (!isBelow(both, folder)) both = dirname(both);
    return both;
  });
}
