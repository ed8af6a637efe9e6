import type { FileRequest } from "./file-request.js";
import { importPaths, stemsOf } from "./import-paths.js";

/**
 * The files of a batch in rounds: a file comes in a later round than those of the batch that it imports, so that the model
 * that writes it can read them. Files that import each other are of one round. Within a round the order is the call's.
 *
 * @param options.root - within `/workspace`: what modules and paths are counted from. Default: `/workspace` itself.
 */
export function planOrder(
  files: readonly FileRequest[],
  { root = "" }: { readonly root?: string } = {},
): readonly (readonly FileRequest[])[] {
  const direct = new Map(files.map((file) => [file, importedSiblings(file, files, { root })]));
  const needs = new Map(files.map((file) => [file, allNeeded(file, direct)]));
  const rounds: FileRequest[][] = [];
  let waiting = [...files];
  while (waiting.length > 0) {
    // What a file needs and what needs it in turn is a circle, and does not have to wait for itself.
    const isFree = (file: FileRequest): boolean =>
      waiting.every((other) => needs.get(file)?.has(other) !== true || needs.get(other)?.has(file) === true);
    rounds.push(waiting.filter((file) => isFree(file)));
    waiting = waiting.filter((file) => !isFree(file));
  }
  return rounds;
}

/** The other files of the batch that a file imports by itself. */
export function importedSiblings(
  file: FileRequest,
  files: readonly FileRequest[],
  { root = "" }: { readonly root?: string } = {},
): readonly FileRequest[] {
  const siblings = new Map(files.filter((other) => other !== file).map((other) => [other.path, other]));
  const stems = stemsOf(siblings.keys());
  const found = new Set<FileRequest>();
  for (const name of file.internalImports) {
    const place = importPaths(name, { importer: file.path, root, stems }).find((path) => siblings.has(path));
    const sibling = siblings.get(place ?? "");
    if (sibling !== undefined) found.add(sibling);
  }
  return [...found];
}

/** And those that they import, and so on. */
function allNeeded(
  file: FileRequest,
  direct: ReadonlyMap<FileRequest, readonly FileRequest[]>,
): ReadonlySet<FileRequest> {
  const needed = new Set<FileRequest>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const sibling of direct.get(next) ?? []) {
      if (needed.has(sibling)) continue;
      needed.add(sibling);
      open.push(sibling);
    }
  }
  return needed;
}
