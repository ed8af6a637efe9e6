import { fileText, joined, usualEnd, type FileText } from "./file-text.js";
import { LineFinder } from "./line-finder.js";
import { blockMismatch, contextMismatch, type ChunkInFile } from "./mismatch.js";
import { oldLines, type Chunk, type PatchLine, type UpdateHunk } from "./patch.js";
import type { Steps } from "./steps.js";

/** What takes the place of lines of the file. */
interface Replacement {
  readonly start: number;
  readonly count: number;
  readonly lines: readonly PatchLine[];
}

/**
 * The text of a file after the chunks of a hunk. Lines that stay are the file's own, with their line ends; new ones get
 * that of the lines they replace or stand beside. What is changed ends with a line end.
 *
 * @throws {PatchMismatchError} @throws {PatchTooLargeError}
 */
export async function applyChunks(text: string, hunk: UpdateHunk, steps: Steps): Promise<string> {
  const { chunks } = hunk;
  const file = await fileText(text, steps);
  const finder = new LineFinder(file.lines, steps);
  const replacements: Replacement[] = [];
  let from = 0;
  for (const [index, chunk] of chunks.entries()) {
    const place: ChunkInFile = { hunk, index, file, finder, from };
    const below = await findContexts(place, chunk);
    const replacement = await findBlock({ ...place, from: below }, chunk);
    replacements.push(replacement);
    // Lines that only go to the end of the file leave the place where it was.
    from = replacement.count > 0 ? replacement.start + replacement.count : below;
  }
  if (chunks.every(({ lines }) => lines.every(({ kind }) => kind === "context"))) return text;
  return replaced(file, replacements, steps);
}

/** @returns the line below the last of them. */
async function findContexts(place: ChunkInFile, { contexts }: Chunk): Promise<number> {
  let { from } = place;
  for (const context of contexts) {
    const found = await place.finder.find([context], { from });
    if (found === null) throw await contextMismatch({ ...place, from }, context);
    from = found + 1;
  }
  return from;
}

async function findBlock(place: ChunkInFile, { contexts, lines, isEndOfFile }: Chunk): Promise<Replacement> {
  const { file, finder, from } = place;
  const wanted = oldLines(lines);
  if (wanted.length === 0) {
    const start = contexts.length > 0 && !isEndOfFile ? from : file.lines.length;
    return { start, count: 0, lines };
  }
  for (const some of wanted.at(-1) === "" && wanted.length > 1 ? [lines, withoutLastBlank(lines)] : [lines]) {
    const block = oldLines(some);
    const start = await finder.find(block, { from, atEnd: isEndOfFile });
    if (start !== null) return { start, count: block.length, lines: some };
  }
  throw await blockMismatch(place, lines);
}

/** The empty line at the end may stand for the line end before it, which is no line of the file. */
function withoutLastBlank(lines: readonly PatchLine[]): readonly PatchLine[] {
  const last = lines.findLastIndex(({ kind }) => kind !== "added");
  const rest = lines.filter((_, index) => index !== last);
  const end = rest.at(-1);
  const isNewBlank = lines[last]?.kind === "removed" && end?.kind === "added" && end.text === "";
  return isNewBlank ? rest.slice(0, -1) : rest;
}

/** Lines that are put together in one go. */
const AT_ONCE = 2000;

async function replaced(file: FileText, replacements: readonly Replacement[], steps: Steps): Promise<string> {
  const { mark, lines, ends } = file;
  const usual = usualEnd(file);
  const pieces: string[] = [mark];
  let at = 0;
  const keep = (): void => {
    pieces.push(lines[at] ?? "", ends[at] ?? usual);
    at += 1;
  };
  const keepUntil = async (end: number): Promise<void> => {
    for (let left = AT_ONCE; at < end; left -= 1) {
      if (left === 0) {
        await steps.spend(AT_ONCE);
        left = AT_ONCE;
      }
      keep();
    }
  };
  for (const { start, lines: wanted } of replacements.toSorted((one, other) => one.start - other.start)) {
    await keepUntil(start);
    /** The ends of removed lines that new ones have not taken the place of. */
    const free: (string | undefined)[] = [];
    let taken = 0;
    for (const { kind, text } of wanted) {
      if (kind === "removed") {
        free.push(ends[at]);
        at += 1;
      } else if (kind === "added") {
        pieces.push(text, free[taken] ?? ends[at - 1] ?? ends[at] ?? usual);
        taken += 1;
      } else {
        keep();
        taken = free.length;
      }
    }
    await steps.spend(wanted.length);
  }
  await keepUntil(lines.length);
  return joined(pieces, steps);
}
