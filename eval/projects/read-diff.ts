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

/** A change while it is read. */
interface ReadChange {
  readonly path: string;
  kind: FileChange["kind"];
  /** Whether git's header began it, which has said the path. */
  readonly isGit: boolean;
  readonly hunks: ReadHunk[];
}

interface ReadHunk {
  readonly start: number;
  readonly before: string[];
  readonly after: string[];
  /** Lines that are still to come. */
  readonly left: { old: number; new: number };
  /** Which of the two ends without the end of a line. */
  readonly unended: { old: boolean; new: boolean };
}

/** Reads a unified diff, as `diff -u` and `git diff` write it, with git's `a/` and `b/` and without. */
export function readDiff(text: string): FileChange[] {
  const changes: ReadChange[] = [];
  let old = "";
  let sign = "";
  for (const line of text.split("\n").slice(0, -1)) {
    const change = changes.at(-1);
    const hunk = change?.hunks.at(-1);
    const [, path] = /^diff --git a\/(.*) b\/\1$/.exec(line) ?? [];
    const [, from] = /^--- ([^\t]+)/.exec(line) ?? [];
    const [, to] = /^\+\+\+ ([^\t]+)/.exec(line) ?? [];
    if (line.startsWith("\\ ")) {
      if (hunk !== undefined && sign !== "+") hunk.unended.old = true;
      if (hunk !== undefined && sign !== "-") hunk.unended.new = true;
    } else if (hunk !== undefined && (hunk.left.old > 0 || hunk.left.new > 0)) {
      sign = line.slice(0, 1);
      addLine(hunk, { sign, content: line.slice(1) });
    } else if (path !== undefined) changes.push({ path, kind: "changed", isGit: true, hunks: [] });
    else if (change?.isGit === true && line.startsWith("new file mode")) change.kind = "added";
    else if (change?.isGit === true && line.startsWith("deleted file mode")) change.kind = "deleted";
    else if (from !== undefined) old = from;
    else if (to !== undefined && change?.isGit !== true) {
      const kind = old === "/dev/null" ? "added" : to === "/dev/null" ? "deleted" : "changed";
      changes.push({ path: kind === "deleted" ? old : to, kind, isGit: false, hunks: [] });
    } else change?.hunks.push(...hunkOf(line));
  }
  return changes.map(({ path, kind, hunks }) => ({ path, kind, hunks: hunks.map(endedHunk) }));
}

function addLine({ before, after, left }: ReadHunk, { sign, content }: { sign: string; content: string }): void {
  if (sign !== "+") {
    before.push(content);
    left.old--;
  }
  if (sign !== "-") {
    after.push(content);
    left.new--;
  }
}

/** The hunk that a line begins; none where it is something else. */
function hunkOf(line: string): ReadHunk[] {
  const [, start, lines = "1", newLines = "1"] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
  if (start === undefined) return [];
  const left = { old: Number(lines), new: Number(newLines) };
  return [{ start: Number(start), before: [], after: [], left, unended: { old: false, new: false } }];
}

/** A text whose last line ends has an empty one after it, once it is split. */
function endedHunk({ start, before, after, unended }: ReadHunk): Hunk {
  return {
    start,
    before: unended.new && !unended.old ? [...before, ""] : before,
    after: unended.old && !unended.new ? [...after, ""] : after,
  };
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
