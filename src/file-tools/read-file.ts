import type { SchemaOutput } from "../tools/index.js";
import type { CallingSession, SessionFiles } from "./calling-session.js";
import { FileTooLargeError } from "./errors.js";
import { blockAround, type BlockOptions } from "./indented-block.js";
import type { READ_FILE } from "./parameters.js";
import { linesOf, shownLine, type LineSpan } from "./text-lines.js";
import { isFolder, workspacePath } from "./workspace-path.js";

type ReadFileInput = SchemaOutput<typeof READ_FILE>;
type Indentation = NonNullable<ReadFileInput["indentation"]>;

/** Bytes of a file that is read. */
const LARGEST_FILE = 32 * 2 ** 20;

/** Lines and characters that one call answers with. */
const MOST_LINES = 100_000;
const LONGEST_ANSWER = 8 * 2 ** 20;

/** Lines of a file that are gone through to find a block. */
const MOST_LINES_FOR_BLOCK = 1_000_000;

/**
 * `L<n>: <line>` for each line.
 *
 * @throws {Error} with the protocol's texts.
 * @throws {FileTooLargeError} @throws {WorkspacePathError}
 */
export async function readFile(input: ReadFileInput, { files }: CallingSession): Promise<string> {
  const { offset, limit, mode } = input;
  // Defaults within an argument are written down for the model and not filled in.
  const indentation: Partial<Indentation> = input.indentation ?? {};
  const path = workspacePath(input.file_path, "file_path");
  if (offset < 1) throw new Error("offset must be a 1-indexed line number");
  if (limit < 1) throw new Error("limit must be greater than zero");
  const bytes = await readBytes(files, path);
  const { anchor_line = offset, max_levels = 0, include_siblings = false } = indentation;
  const { include_header = true, max_lines = limit } = indentation;
  return mode === "slice"
    ? slice(bytes, offset, limit)
    : block(bytes, { anchor_line, max_levels, include_siblings, include_header, max_lines: max_lines }, limit);
}

async function readBytes(files: SessionFiles, path: string): Promise<Uint8Array> {
  await files.collect();
  const record = path === "" ? undefined : await files.find(path);
  if (record === undefined) throw new Error(`failed to read file: ${await whyMissing(files, path)}`);
  if (record.size > LARGEST_FILE) throw new FileTooLargeError(path, record.size, LARGEST_FILE);
  return files.read(path);
}

async function whyMissing(files: SessionFiles, path: string): Promise<string> {
  return isFolder(await files.list(), path) ? "Is a directory (os error 21)" : "No such file or directory (os error 2)";
}

async function slice(bytes: Uint8Array, offset: number, limit: number): Promise<string> {
  const answer = new Answer(bytes);
  let count = 0;
  for await (const lines of linesOf(bytes)) {
    const wanted = lines.slice(Math.max(0, offset - 1 - count), Math.max(0, offset - 1 + limit - count));
    const first = Math.max(count, offset - 1);
    wanted.forEach((line, index) => {
      answer.add(first + index + 1, line);
    });
    count += lines.length;
    if (count >= offset - 1 + limit) break;
  }
  // An empty file has nothing to be beyond of.
  if (count < offset && !(count === 0 && offset === 1)) throw new Error("offset exceeds file length");
  return answer.text;
}

async function block(bytes: Uint8Array, options: BlockOptions, limit: number): Promise<string> {
  if (options.anchor_line < 1) throw new Error("anchor_line must be a 1-indexed line number");
  if (options.max_lines < 1) throw new Error("max_lines must be greater than zero");
  const lines: LineSpan[] = [];
  for await (const some of linesOf(bytes)) {
    for (const line of some) lines.push(line);
    if (lines.length > MOST_LINES_FOR_BLOCK)
      throw new Error(`the file has more than ${String(MOST_LINES_FOR_BLOCK)} lines: read a slice of it`);
  }
  if (options.anchor_line > lines.length) throw new Error("anchor_line exceeds file length");
  const answer = new Answer(bytes);
  for (const index of await blockAround(bytes, lines, { ...options, max_lines: Math.min(limit, options.max_lines) })) {
    const line = lines[index];
    if (line !== undefined) answer.add(index + 1, line);
  }
  return answer.text;
}

/** What the call answers with, as long as that may be. */
class Answer {
  readonly #bytes: Uint8Array;
  readonly #lines: string[] = [];
  #length = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  add(number: number, line: LineSpan): void {
    const text = `L${String(number)}: ${shownLine(this.#bytes, line)}`;
    this.#length += text.length;
    if (this.#lines.length >= MOST_LINES || this.#length > LONGEST_ANSWER)
      throw new Error("more lines were asked for than one call answers with: ask for a part of them");
    this.#lines.push(text);
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}
