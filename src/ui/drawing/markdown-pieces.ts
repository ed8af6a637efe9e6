/**
 * Characters after which a piece ends at the next good place, and at the latest. What reads Markdown takes up to the square
 * of a text's length: a piece is what one engine reads within some tens of milliseconds, whatever it holds.
 */
const ENOUGH = 2000;
const MOST = 4000;

/** Lines outside of code after which it ends as well: each may be an entry of a list, whose layout takes an engine long. */
const MOST_LINES = 500;

/** Link definitions that every piece may use. */
const MOST_DEFINITIONS = 100;

/**
 * Cuts a long Markdown text into pieces that can be read one by one: between blocks where it can, else in the middle of
 * one. Each holds what it needs of the others: a fence that goes on, and the definitions of its links. A list may become
 * two, and a block that was cut two of its kind.
 */
export function markdownPieces(markdown: string): readonly string[] {
  if (markdown.length <= MOST) return [markdown];
  const definitions = linkDefinitions(markdown);
  return [...cut(markdown)].map((piece) => withDefinitions(piece, definitions));
}

function* cut(markdown: string): Iterable<string> {
  let piece = "";
  let fence: Fence | undefined;
  /** The head of the table in which this piece is. */
  let table: string | undefined;
  let before = "";
  let lines = 0;
  let isAfterBlank = false;
  for (const line of shortLines(markdown)) {
    const endsHere = isAfterBlank && fence === undefined && !/^[\s>]/.test(line);
    if ((piece.length >= ENOUGH && endsHere) || piece.length + line.length > MOST || lines >= MOST_LINES) {
      yield fence === undefined ? piece : `${piece}${fence.mark}\n`;
      piece = fence?.line ?? table ?? "";
      lines = 0;
    }
    piece += line;
    if (fence === undefined) lines += 1;
    isAfterBlank = line.trim() === "";
    if (isAfterBlank) table = undefined;
    else if (table === undefined && isTableRule(line, before)) table = `${before}${line}`;
    before = line;
    fence = fenceAfter(line, fence);
  }
  if (piece !== "") yield piece;
}

/** Whether the line is the one below the head of a table: dashes between bars. */
function isTableRule(line: string, head: string): boolean {
  return head.includes("|") && line.includes("-") && line.length + head.length < 1000 && /^[ \t|:-]+\s*$/.test(line);
}

/** Code between two lines of a mark. */
interface Fence {
  readonly mark: string;
  /** With which it begins. */
  readonly line: string;
}

/** The fence that is open after a line. */
function fenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  const [, mark, rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? [];
  // A mark of backticks and another on its line are code within a sentence.
  if (mark === undefined || (mark.startsWith("`") && rest.includes("`"))) return open;
  if (open === undefined) return { mark, line: `${line.slice(0, 100).trimEnd()}\n` };
  return mark.startsWith(open.mark) && rest.trim() === "" ? undefined : open;
}

/** Lines with their ends; one that is too long comes in parts. */
function* shortLines(text: string): Iterable<string> {
  const longest = MOST / 2;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    let next = Math.min(end < 0 ? text.length : end + 1, at + longest);
    // A character of two units stays whole.
    if (next < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(next))) next -= 1;
    yield text.slice(at, next);
    at = next;
  }
}

/** By label, as a text in brackets writes it. */
function linkDefinitions(markdown: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [line, label = ""] of markdown.matchAll(/^ {0,3}\[([^\]\n]{1,100})\]:.{1,1000}$/gm)) {
    if (found.size < MOST_DEFINITIONS && !found.has(label)) found.set(label, line);
  }
  return found;
}

function withDefinitions(piece: string, definitions: ReadonlyMap<string, string>): string {
  let text = piece;
  for (const [label, line] of definitions) {
    if (text.length + line.length > 2 * MOST) break;
    if (piece.includes(`[${label}]`) && !piece.includes(line)) text += `\n\n${line}`;
  }
  return text;
}
