import { PatchSyntaxError, PatchTooLargeError } from "./errors.js";
import type { Chunk, Hunk, Patch, PatchLine } from "./patch.js";

const BEGIN = "*** begin patch";
const END = "*** end patch";
const ADD = "*** add file: ";
const DELETE = "*** delete file: ";
const UPDATE = "*** update file: ";
const MOVE = "*** move to: ";
const END_OF_FILE = "*** end of file";

/** Characters and lines of a patch. */
const LONGEST_PATCH = 2 ** 22;
const MOST_LINES = 100_000;

/** Characters of a line that an error shows. */
const SHOWN = 500;

/**
 * Reads a patch as models write it: markers in any case and with blanks around them, text, fences of Markdown and a
 * heredoc's first and last line around the whole.
 *
 * @throws {PatchSyntaxError} @throws {PatchTooLargeError}
 */
export function parsePatch(text: string): Patch {
  const reader = new PatchReader(linesOfPatch(text));
  const hunks: Hunk[] = [];
  while (reader.skipBlank()) hunks.push(readHunk(reader));
  return hunks;
}

/** Whether a text is a patch and nothing else. */
export function isBarePatch(text: string): boolean {
  if (!text.trimStart().slice(0, BEGIN.length).toLowerCase().startsWith(BEGIN)) return false;
  try {
    parsePatch(text);
    return true;
  } catch {
    return false;
  }
}

/** What is between the markers. */
function linesOfPatch(text: string): readonly string[] {
  if (text.length > LONGEST_PATCH || countLines(text) > MOST_LINES) {
    throw new PatchTooLargeError(
      `A patch may have ${String(MOST_LINES)} lines and ${String(LONGEST_PATCH)} characters. Make several of it.`,
    );
  }
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const begin = lines.findIndex((line) => isMarker(line, BEGIN));
  if (begin === -1) throw new PatchSyntaxError("The first line of the patch must be '*** Begin Patch'");
  const end = lines.findLastIndex((line) => isMarker(line, END));
  if (end < begin) throw new PatchSyntaxError("The last line of the patch must be '*** End Patch'");
  return lines.slice(begin + 1, end);
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1 && count <= MOST_LINES; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

class PatchReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** Undefined at the end. */
  get next(): string | undefined {
    return this.#lines[this.#at];
  }

  /** Of the next line, from 1 at `*** Begin Patch`. */
  get number(): number {
    return this.#at + 2;
  }

  take(): string {
    const line = this.#lines[this.#at] ?? "";
    this.#at += 1;
    return line;
  }

  /** @returns whether there is a line that is not blank. */
  skipBlank(): boolean {
    while (this.next?.trim() === "") this.#at += 1;
    return this.next !== undefined;
  }
}

function readHunk(reader: PatchReader): Hunk {
  const line = reader.number;
  const header = reader.take().trim();
  const added = afterMarker(header, ADD);
  if (added !== null) return { kind: "add", path: added, line, content: readAdded(reader) };
  const deleted = afterMarker(header, DELETE);
  if (deleted !== null) return { kind: "delete", path: deleted, line };
  const updated = afterMarker(header, UPDATE);
  if (updated !== null) return readUpdate(reader, updated, line);
  throw new PatchSyntaxError(
    `'${shown(header)}' is not a valid hunk header. Valid hunk headers: ` +
      "'*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    line,
  );
}

function readAdded(reader: PatchReader): string {
  const lines: string[] = [];
  while (reader.next?.startsWith("+") === true) lines.push(`${reader.take().slice(1)}\n`);
  return lines.join("");
}

function readUpdate(reader: PatchReader, path: string, line: number): Hunk {
  const target = afterMarker(reader.next?.trim() ?? "", MOVE);
  if (target !== null) reader.take();
  const chunks: Chunk[] = [];
  while (reader.skipBlank() && reader.next?.startsWith("***") !== true) chunks.push(readChunk(reader, chunks.length));
  if (chunks.length === 0) throw new PatchSyntaxError(`Update file hunk for path '${shown(path)}' is empty`, line);
  return { kind: "update", path, line, target, chunks };
}

function readChunk(reader: PatchReader, before: number): Chunk {
  const line = reader.number;
  const contexts: string[] = [];
  while (reader.next === "@@" || reader.next?.startsWith("@@ ") === true) {
    const context = reader.take().slice("@@ ".length);
    if (context.trim() !== "") contexts.push(context);
  }
  if (reader.number === line && before > 0) {
    const got = shown(reader.next ?? "");
    throw new PatchSyntaxError(`Expected update hunk to start with a @@ context marker, got: '${got}'`, line);
  }
  const lines: PatchLine[] = [];
  for (let next = readLine(reader.next); next !== null; next = readLine(reader.next)) {
    lines.push(next);
    reader.take();
  }
  const isEndOfFile = isMarker(reader.next ?? "", END_OF_FILE);
  if (lines.length === 0) throw noLines(reader, isEndOfFile);
  if (isEndOfFile) reader.take();
  return { line, contexts, lines: withoutSeparators(lines), isEndOfFile };
}

/** Null for what is no line of a chunk. */
function readLine(line: string | undefined): PatchLine | null {
  if (line === "") return { kind: "context", text: "", isBare: true };
  const text = line?.slice(1) ?? "";
  if (line?.startsWith(" ") === true) return { kind: "context", text };
  if (line?.startsWith("+") === true) return { kind: "added", text };
  return line?.startsWith("-") === true ? { kind: "removed", text } : null;
}

function noLines({ next, number }: PatchReader, isEndOfFile: boolean): PatchSyntaxError {
  if (next === undefined || isEndOfFile) return new PatchSyntaxError("Update hunk does not contain any lines", number);
  return new PatchSyntaxError(
    `Unexpected line found in update hunk: '${shown(next)}'. ` +
      "Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)",
    number,
  );
}

/** Empty lines below lines that are only added part them from what follows, and are no place in the file. */
function withoutSeparators(lines: readonly PatchLine[]): readonly PatchLine[] {
  const last = lines.findLastIndex(({ isBare }) => isBare !== true);
  const rest = lines.slice(0, last + 1);
  return rest.length > 0 && rest.every(({ kind }) => kind === "added") ? rest : lines;
}

function isMarker(line: string, marker: string): boolean {
  return line.trim().toLowerCase() === marker;
}

function afterMarker(header: string, marker: string): string | null {
  const path = header.slice(marker.length).trim();
  return path !== "" && header.slice(0, marker.length).toLowerCase() === marker ? path : null;
}

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
