import type { Tree } from "./trees.js";

/** What may be changed, and by how much. */
interface Bounds {
  readonly files: Tree;
  readonly folder: string;
  readonly mostLines: number;
}

/** What is wrong with the difference between a project and a tree that was made of it; empty when nothing is. */
export function diffProblems({ files, folder, mostLines }: Bounds, after: Tree): string[] {
  const problems: string[] = [];
  let lines = 0;
  for (const [path, text] of files) {
    const found = after.get(path);
    if (found === undefined) problems.push(`${path} was deleted`);
    else if (found !== text) {
      if (!path.startsWith(`${folder}/`)) problems.push(`${path} was changed`);
      lines += changedLines(text, found);
    }
  }
  for (const path of after.keys()) {
    if (!files.has(path)) problems.push(`${path} was added`);
  }
  if (problems.length > 0) return problems;
  if (lines === 0) return ["nothing was changed"];
  if (lines > mostLines) problems.push(`${String(lines)} lines were changed, and ${String(mostLines)} are enough`);
  return problems;
}

/** The lines that are removed and added together, by the longest common subsequence. */
export function changedLines(before: string, after: string): number {
  const [old, now] = [before.split("\n"), after.split("\n")];
  // Files of a few hundred lines: a table of all pairs is small.
  let row = new Uint32Array(now.length + 1);
  for (const line of old) {
    const next = new Uint32Array(now.length + 1);
    for (const [index, other] of now.entries()) {
      next[index + 1] = line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0);
    }
    row = next;
  }
  return old.length + now.length - 2 * (row.at(-1) ?? 0);
}
