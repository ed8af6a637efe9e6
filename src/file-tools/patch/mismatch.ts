import { PatchMismatchError } from "./errors.js";
import type { FileText } from "./file-text.js";
import type { LineFinder } from "./line-finder.js";
import { oldLines, type PatchLine, type UpdateHunk } from "./patch.js";

/** A chunk that is looked for in a file. */
export interface ChunkInFile {
  readonly hunk: UpdateHunk;
  /** Of the chunk in its hunk. */
  readonly index: number;
  readonly file: FileText;
  readonly finder: LineFinder;
  /** The line of the file where the search begins, from 0. */
  readonly from: number;
}

/** Lines and characters of the patch, and characters of one line, that an error shows. */
const SHOWN_LINES = 100;
const SHOWN_CHARACTERS = 4000;
const SHOWN_OF_LINE = 200;

/** What to say of a context line that is not there. */
export async function contextMismatch(place: ChunkInFile, context: string): Promise<PatchMismatchError> {
  const path = shown(place.hunk.path);
  return error(place, [`Failed to find context '${shown(context)}' in ${path}`, ...(await order(place, [context]))]);
}

/** What to say of a block that is not there: how much of it is, and what is likely to be wrong with the patch. */
export async function blockMismatch(place: ChunkInFile, lines: readonly PatchLine[]): Promise<PatchMismatchError> {
  const { hunk, file, finder } = place;
  const block = oldLines(lines);
  const header = `Failed to find expected lines in ${shown(hunk.path)}`;
  const { start, length } = await finder.longestStart(block);
  const expected = block[length];
  const wanted = shown(expected ?? "<end of pattern>");
  const found = shown(file.lines[start + length] ?? "<end of file>");
  const matched = `matched ${String(length)}/${String(block.length)} lines near line ${String(start + 1)}`;
  return error(place, [
    length === 0 || expected === undefined
      ? `${header}:\n${shownBlock(block)}`
      : `${header}: ${matched} (expected: '${wanted}', file has: '${found}')`,
    ...(await order(place, block)),
    ...(await parted(place, lines)),
  ]);
}

/** Whether it is there, above what the chunk before it changes. */
async function order({ finder, from, hunk, index }: ChunkInFile, block: readonly string[]): Promise<string[]> {
  const { isEndOfFile = false } = hunk.chunks[index] ?? {};
  const above = from === 0 && !isEndOfFile ? null : await finder.find(block, { from: 0 });
  if (above === null) return [];
  const where = `These lines are at line ${String(above + 1)} of the file`;
  if (above >= from && isEndOfFile) return [`${where}, which is not its end.`];
  return [`${where}, above the place of the chunk before: write the chunks in the order of the file.`];
}

/** Whether an empty line of the patch joins two blocks that are not beside each other. */
async function parted({ finder, from }: ChunkInFile, lines: readonly PatchLine[]): Promise<string[]> {
  const parts: string[][] = [[]];
  for (const { kind, text, isBare } of lines) {
    if (isBare === true) parts.push([]);
    else if (kind !== "added") parts.at(-1)?.push(text);
  }
  const blocks = parts.filter((part) => part.length > 0);
  if (blocks.length < 2) return [];
  let next = from;
  for (const block of blocks) {
    const found = await finder.find(block, { from: next });
    if (found === null) return [];
    next = found + block.length;
  }
  return [
    "An empty line in a chunk is an empty line of the file, and there is none: separate changes that are not beside each other with a line '@@'.",
  ];
}

/** Which chunk it is, where there are several. */
function error({ hunk, index }: ChunkInFile, texts: readonly string[]): PatchMismatchError {
  const { chunks, path } = hunk;
  const { line = hunk.line } = chunks[index] ?? {};
  const chunk = index + 1;
  const which = `This is chunk ${String(chunk)} of ${String(chunks.length)} for the file, at line ${String(line)} of the patch.`;
  return new PatchMismatchError(path, [...texts, ...(chunks.length > 1 ? [which] : [])].join("\n"), { chunk, line });
}

function shownBlock(block: readonly string[]): string {
  const text = block.slice(0, SHOWN_LINES).join("\n");
  if (block.length <= SHOWN_LINES && text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}\n… (${String(block.length)} lines)`;
}

function shown(text: string): string {
  return text.length > SHOWN_OF_LINE ? `${text.slice(0, SHOWN_OF_LINE)}…` : text;
}
