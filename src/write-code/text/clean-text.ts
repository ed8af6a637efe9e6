import { Slices } from "../../protocol/index.js";

/** A text as it is stored, and what a person may want to know of how it came to be so. */
export interface CleanText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** Characters that are looked at in one go: well below a millisecond. */
const PIECE = 65_536;

/** Characters of one escape sequence: what is longer is not taken for one. */
const LONGEST_ESCAPE = 1000;

/** What sets colours in a terminal (CSI), and titles and links (OSC). The escape character alone may be meant. */
const ESCAPES = new RegExp(
  `\\u001b(?:\\[[0-9;:?]{0,${String(LONGEST_ESCAPE)}}[A-Za-z]|\\][^\\u0007\\u001b\\n]{0,${String(LONGEST_ESCAPE)}}(?:\\u0007|\\u001b\\\\))`,
  "gu",
);

/**
 * Takes away what no text file has: a byte order mark, NUL, escape sequences of terminals. Lines end with a line feed, and so
 * does the last one, once. Texts of any size are worked through in slices.
 *
 * U+2028 and U+2029 stay: they are no ends of lines in source code, but may stand in strings of JavaScript and JSON, which a
 * line feed would break. (ftfy's `fix_text` has line feeds in their place.)
 */
export async function cleanText(given: string): Promise<CleanText> {
  const warnings: string[] = [];
  const withoutMark = given.replace(/^\ufeff+/u, "");
  const pieces: string[] = [];
  const removed = { zeros: 0, escapes: 0 };
  const slices = new Slices();
  for (const piece of wholePieces(withoutMark)) {
    pieces.push(cleanPiece(piece, removed));
    await slices.rest();
  }
  const text = pieces.join("");
  if (withoutMark !== given) warnings.push("A byte order mark was taken away.");
  if (removed.zeros > 0) warnings.push(`NUL characters were taken away: ${String(removed.zeros)}.`);
  if (removed.escapes > 0) warnings.push(`Escape sequences of a terminal were taken away: ${String(removed.escapes)}.`);
  return { text: withFinalNewline(text), warnings };
}

/** A text with nothing in it stays so. Of lines at its end with nothing in them none is left. */
function withFinalNewline(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === LINE_FEED) end -= 1;
  return end === 0 ? "" : `${text.slice(0, end)}\n`;
}

function cleanPiece(piece: string, removed: { zeros: number; escapes: number }): string {
  let text = piece;
  // Nearly no text has any of these, and to look for one character is quick.
  if (text.includes("\0")) {
    const parts = text.split("\0");
    removed.zeros += parts.length - 1;
    text = parts.join("");
  }
  if (text.includes("\u001b")) {
    text = text.replace(ESCAPES, () => {
      removed.escapes += 1;
      return "";
    });
  }
  return text.includes("\r") ? text.replace(/\r\n?/gu, "\n") : text;
}

/** Pieces of which none ends within an end of a line or an escape sequence. */
function* wholePieces(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PIECE, text.length);
    if (end < text.length) {
      const escape = text.lastIndexOf("\u001b", end);
      if (escape > at && end - escape <= LONGEST_ESCAPE + 4) end = escape;
      while (end > at + 1 && text.charCodeAt(end - 1) === CARRIAGE_RETURN) end -= 1;
    }
    yield text.slice(at, end);
    at = end;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
