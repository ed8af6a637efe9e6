import type { Tree } from "./trees.js";

/** What a diff does to one file. */
export interface FileChange {
  readonly path: string;
  /** A file that is added or deleted has the whole of its text in one hunk. */
  readonly kind: "changed" | "added" | "deleted";
  readonly hunks: readonly Hunk[];
}

interface Hunk {
  /** The line of the old file at which it begins, from 1. */
  readonly start: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Reads a unified diff, as `diff -u` and `git diff --no-prefix` write it. */
export function readDiff(text: string): FileChange[] {
  const changes: { path: string; kind: FileChange["kind"]; hunks: Hunk[] }[] = [];
  const lines = text.split("\n");
  let old = "";
  let hunk: { start: number; before: string[]; after: string[] } | null = null;
  for (const line of lines.slice(0, -1)) {
    const [, from] = /^--- (\S+)/.exec(line) ?? [];
    const [, to] = /^\+\+\+ (\S+)/.exec(line) ?? [];
    const [, start] = /^@@ -(\d+)/.exec(line) ?? [];
    if (from !== undefined) [old, hunk] = [from, null];
    else if (to !== undefined) {
      const kind = old === "/dev/null" ? "added" : to === "/dev/null" ? "deleted" : "changed";
      changes.push({ path: kind === "deleted" ? old : to, kind, hunks: [] });
    } else if (start !== undefined) {
      hunk = { start: Number(start), before: [], after: [] };
      changes.at(-1)?.hunks.push(hunk);
    } else if (hunk !== null) {
      const content = line.slice(1);
      if (!line.startsWith("+")) hunk.before.push(content);
      if (!line.startsWith("-")) hunk.after.push(content);
    }
  }
  return changes;
}

/** The tree after the changes. @throws {Error} where a line is not the one that the diff has. */
export function applyChanges(tree: Tree, changes: readonly FileChange[]): Tree {
  const changed = new Map(tree);
  for (const { path, kind, hunks } of changes) {
    const text = changed.get(path);
    if ((text === undefined) !== (kind === "added"))
      throw new Error(`${path} is ${text === undefined ? "not" : "already"} there.`);
    if (kind === "deleted") changed.delete(path);
    else changed.set(path, patched(path, text ?? "", hunks));
  }
  return changed;
}

function patched(path: string, text: string, hunks: readonly Hunk[]): string {
  const lines = text.split("\n");
  // From the end, so that the numbers of the earlier ones still hold.
  for (const { start, before, after } of hunks.toReversed()) {
    const at = Math.max(start - 1, 0);
    const wrong = before.findIndex((line, index) => lines[at + index] !== line);
    if (wrong !== -1) throw new Error(`${path}:${String(start + wrong)} is not "${before[wrong] ?? ""}".`);
    lines.splice(at, before.length, ...after);
  }
  return lines.join("\n");
}
