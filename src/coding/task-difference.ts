import { Slices } from "../protocol/index.js";
import {
  areComparable,
  comparableText,
  differenceOfLines,
  markedLines,
  unifiedHunks,
  type DifferenceLine,
} from "../difference/index.js";
import type { ChangedFile, FileVersions, WorkspaceChanges } from "../workspace/index.js";

/** Characters of the whole difference, beyond which further files are named alone. */
const LONGEST_DIFFERENCE = 4_000_000;

/** What files have become, for people and for `git apply`. */
export interface Difference {
  /** As `git diff` writes it; empty where nothing is different. */
  readonly text: string;
  /** `2 files changed, 5 lines added, 3 removed.` */
  readonly summary: string;
}

/** The difference that a recording comes to, in slices between which the page goes on. */
export async function differenceOf(changes: WorkspaceChanges): Promise<Difference> {
  const slices = new Slices();
  const parts: string[] = [];
  const count = { length: 0, added: 0, removed: 0 };
  const files = await changes.files();
  for (const file of files) {
    await slices.rest();
    const texts = count.length > LONGEST_DIFFERENCE ? null : await textsOf(await changes.read(file.path));
    const lines = texts === null ? null : differenceOfLines(markedLines(texts.before), markedLines(texts.after));
    const part = `${[...headerOf(file), ...(lines === null ? [binaryText(file)] : hunksOf(file, lines))].join("\n")}\n`;
    parts.push(part);
    count.length += part.length;
    for (const { kind } of lines ?? []) if (kind !== "same") count[kind] += 1;
  }
  const { added, removed } = count;
  const summary = `${counted(files.length, "file")} changed, ${counted(added, "line")} added, ${String(removed)} removed.`;
  return { text: parts.join(""), summary };
}

interface Texts {
  readonly before: string | null;
  readonly after: string | null;
}

/** Null where one is no text, or too large. */
async function textsOf({ before, after }: FileVersions): Promise<Texts | null> {
  const [old, young] = await Promise.all([comparableText(before), comparableText(after)]);
  if (old === undefined || young === undefined) return null;
  return areComparable(old, young) ? { before: old, after: young } : null;
}

const MODES = { added: ["new file mode 100644"], deleted: ["deleted file mode 100644"], changed: [] };

function headerOf({ path, kind }: ChangedFile): string[] {
  return [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`, ...MODES[kind]];
}

function binaryText(file: ChangedFile): string {
  const { from, to } = namesOf(file);
  return `Binary files ${quoted(from)} and ${quoted(to)} differ`;
}

/** An empty file that comes or goes has no hunk, and no names before one. */
function hunksOf(file: ChangedFile, lines: readonly DifferenceLine[]): string[] {
  const { from, to } = namesOf(file);
  const hunks = unifiedHunks(lines);
  return hunks.length === 0 ? [] : [`--- ${ended(from)}`, `+++ ${ended(to)}`, ...hunks];
}

function namesOf({ path, kind }: ChangedFile): { readonly from: string; readonly to: string } {
  return {
    from: kind === "added" ? "/dev/null" : `a/${path}`,
    to: kind === "deleted" ? "/dev/null" : `b/${path}`,
  };
}

/** A name with a quotation mark in it, as git writes it. */
function quoted(name: string): string {
  return name.includes('"') ? `"${name.replaceAll('"', '\\"')}"` : name;
}

/** A tab says where a name with a blank in it ends. */
function ended(name: string): string {
  return name.includes(" ") ? `${quoted(name)}\t` : quoted(name);
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}
