import { closes, openString, readOpening, withoutFence, withoutThoughts, type Opening } from "../../model/index.js";

/** The program of a reply, and what was left aside. */
export interface ExtractedCode {
  readonly code: string;
  /** Further Python blocks of the reply, which are not run. */
  readonly ignoredBlocks: number;
  /** The reply ended before the block did. */
  readonly unclosed: boolean;
  /** The fence that ends the block stands in a string that does not end: of a reply that was cut, it may be the string's. */
  readonly endsInString: boolean;
}

/**
 * Finds the code block to run: the first that is tagged as Python, else the
 * first without a tag. Null when there is none.
 *
 * A block ends at a fence on a line of its own that is not part of a string in
 * the code; a tagged block that is never closed runs to the end of the reply.
 * Whatever the reply is, the work grows with its length and no faster.
 */
export function extractCode(reply: string): ExtractedCode | null {
  const blocks = findBlocks(withoutThoughts(reply)).filter(({ code, kind }) => code !== "" && kind !== "other");
  const python = blocks.filter(({ kind }) => kind === "python");
  const candidates = python.length > 0 ? python : blocks.filter(({ unclosed }) => !unclosed);
  const [chosen] = candidates;
  if (chosen === undefined) return null;
  const { code, unclosed, endsInString } = chosen;
  return { code, ignoredBlocks: candidates.length - 1, unclosed, endsInString };
}

interface Block {
  readonly kind: Opening["kind"];
  readonly code: string;
  readonly unclosed: boolean;
  readonly endsInString: boolean;
}

/** Blocks of which the end is looked for behind a string that then never ends. */
const MOST_OPEN_STRINGS = 8;

function findBlocks(text: string): Block[] {
  const lines = text.split(/\r\n?|\n/);
  const blocks: Block[] = [];
  let openStrings = 0;
  for (let index = 0; index < lines.length; index++) {
    const opening = readOpening(lines[index] ?? "");
    if (opening === null) continue;
    const { kind, inline } = opening;
    if (inline !== null) {
      blocks.push({ kind, code: inline, unclosed: false, endsInString: false });
      continue;
    }
    const start = index + 1;
    const minds = kind !== "other" && openStrings < MOST_OPEN_STRINGS;
    let end = minds ? findEnd(lines, start, opening) : null;
    if (minds && end === null) openStrings += 1;
    const isOpen = kind !== "other" && end === null;
    end ??= findFence(lines, start, opening);
    index = end ?? lines.length;
    const code = dedent(lines.slice(start, index));
    // Some close the block behind the last line, and end there.
    const closedLate = end === null && code.endsWith("```");
    const unclosed = end === null && !closedLate;
    blocks.push({ kind, code: closedLate ? withoutFence(code) : code, unclosed, endsInString: isOpen && end !== null });
  }
  return blocks;
}

/** The line that closes the block. A report written in a string may hold fences of its own. */
function findEnd(lines: readonly string[], start: number, opening: Opening): number | null {
  let open: string | null = null;
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (open?.length !== 3 && closes(line, opening)) return index;
    open = openString(line, open);
  }
  return null;
}

function findFence(lines: readonly string[], start: number, opening: Opening): number | null {
  for (let index = start; index < lines.length; index++) if (closes(lines[index] ?? "", opening)) return index;
  return null;
}

function dedent(lines: readonly string[]): string {
  // Where a comment begins says nothing: models put one before an indented block.
  const written = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const margin = written.reduce(
    (least, line) => sharedMargin(least, line),
    /^[ \t]*/.exec(written[0] ?? "")?.[0] ?? "",
  );
  return lines
    .map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.trim() === "" ? "" : line))
    .join("\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

function sharedMargin(margin: string, line: string): string {
  let length = 0;
  while (length < margin.length && line[length] === margin[length]) length++;
  return margin.slice(0, length);
}
