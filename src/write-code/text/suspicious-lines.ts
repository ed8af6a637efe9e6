import { Slices } from "../../protocol/index.js";

/** A line that looks as if its UTF-8 had been read as something else. */
export interface SuspiciousLine {
  /** From 0 on, among the lines of its text. */
  readonly index: number;
  readonly text: string;
}

/** Characters of a line, and of all of them together: what is longer is no text that anybody wrote. */
const LONGEST_LINE = 100_000;
const MOST_CHARACTERS = 1_000_000;

/**
 * The first byte of a character of UTF-8, as Windows-1252 and its neighbours, Windows-1251, Mac Roman and the DOS code page
 * 437 show it, and then what they show for the bytes that follow one. ftfy decides: many a word of Polish or Ukrainian looks
 * like this, too.
 */
const MOJIBAKE = new RegExp(
  [
    // Windows-1250, -1252, -1254, -1257, ISO 8859-1 and -2.
    "[\\u00c2-\\u00f4\\u0102-\\u0171][\\u0080-\\u00bf\\u0104-\\u017e\\u0192\\u02c6\\u02c7\\u02d8-\\u02dd\\u2013-\\u203a\\u20ac\\u2122]",
    // A no-break space became a space.
    "[\\u00c2\\u00c3] ",
    // Windows-1251.
    "[\\u0420\\u0421\\u0432\\u0413][\\u0080-\\u00bf\\u0402-\\u040f\\u0451-\\u045f\\u0490\\u0491\\u2013-\\u203a\\u20ac\\u2116\\u2122]",
    // Mac Roman, and the code page 437.
    "[\\u221a\\u00ac\\u201a\\u251c\\u0393\\u2568\\u2564][\\u0080-\\u00ff\\u0131\\u0152\\u0153\\u0178\\u0192\\u03a9\\u03c0\\u2013-\\u203a\\u2122-\\u25ff]",
  ].join("|"),
  "u",
);

/** The lines to be repaired, and whether there are more than are looked at. */
export async function suspiciousLines(
  text: string,
): Promise<{ readonly lines: readonly SuspiciousLine[]; readonly areAll: boolean }> {
  const lines: SuspiciousLine[] = [];
  let areAll = true;
  let characters = 0;
  // Most source code is ASCII, and to know that takes a moment.
  if (!/[^\0-\u007f]/u.test(text)) return { lines, areAll };
  const slices = new Slices();
  let index = 0;
  for (let at = 0; at <= text.length; index += 1) {
    const feed = text.indexOf("\n", at);
    const end = feed === -1 ? text.length : feed;
    const line = end - at > LONGEST_LINE ? undefined : text.slice(at, end);
    if (line === undefined) areAll &&= await isPlain(text, at, end, slices);
    else if (MOJIBAKE.test(line)) {
      characters += line.length;
      if (characters > MOST_CHARACTERS) return { lines, areAll: false };
      lines.push({ index, text: line });
    }
    at = end + 1;
    if (index % 500 === 0) await slices.rest();
  }
  return { lines, areAll };
}

/** Whether nothing in a long line looks like it. */
async function isPlain(text: string, from: number, to: number, slices: Slices): Promise<boolean> {
  for (let at = from; at < to; at += LONGEST_LINE) {
    // One more character, since it takes two.
    if (MOJIBAKE.test(text.slice(at, Math.min(to, at + LONGEST_LINE + 1)))) return false;
    await slices.rest();
  }
  return true;
}
