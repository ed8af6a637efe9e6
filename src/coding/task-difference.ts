import { decodeTextInSlices, Slices } from "../protocol/index.js";
import { differenceOfLines, unifiedHunks, type DifferenceLine } from "../difference/index.js";
import type { ChangedFile, FileVersions, WorkspaceChanges } from "../workspace/index.js";

/** Bytes of one version of a file, beyond which its lines are not compared. */
const LARGEST_FILE = 2_000_000;

/** Lines of both versions of a file together, beyond which they are not compared: that takes the page some tens of milliseconds. */
const MOST_LINES = 50_000;

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
    const lines = texts === null ? null : differenceOfLines(linesOf(texts.before), linesOf(texts.after));
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
  const [old, young] = await Promise.all([textOf(before), textOf(after)]);
  if (old === undefined || young === undefined) return null;
  return hasMoreEnds([old, young], MOST_LINES) ? null : { before: old, after: young };
}

function hasMoreEnds(texts: readonly (string | null)[], most: number): boolean {
  let count = 0;
  for (const text of texts) {
    for (let at = text?.indexOf("\n") ?? -1; at >= 0; at = text?.indexOf("\n", at + 1) ?? -1) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

async function textOf(bytes: Uint8Array | null): Promise<string | null | undefined> {
  if (bytes === null) return null;
  // As git has it: a text has no zero byte.
  if (bytes.byteLength > LARGEST_FILE || bytes.includes(0)) return undefined;
  return decodeTextInSlices(bytes, { fatal: true }).catch(() => undefined);
}

/** Each with the carriage return that it may end with. A last line without an end is marked as git marks it. */
function linesOf(text: string | null): string[] {
  if (text === null || text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
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
