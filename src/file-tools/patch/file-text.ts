import type { Steps } from "./steps.js";

const MARK = "\uFEFF";

/** Lines that are parted or joined in one go. */
const AT_ONCE = 2000;

/** A text file in lines, each with the line end that it has. */
export interface FileText {
  /** A byte order mark before the first line, or nothing. */
  readonly mark: string;
  readonly lines: readonly string[];
  /** `\n` or `\r\n`; undefined for a last line without one. */
  readonly ends: readonly (string | undefined)[];
}

export async function fileText(text: string, steps: Steps): Promise<FileText> {
  const mark = text.startsWith(MARK) ? MARK : "";
  const lines: string[] = [];
  const ends: (string | undefined)[] = [];
  for (let start = mark.length; start < text.length;) {
    const feed = text.indexOf("\n", start);
    const last = feed === -1 ? text.length : feed;
    const isReturn = feed > start && text.charCodeAt(feed - 1) === 13;
    lines.push(text.slice(start, isReturn ? last - 1 : last));
    ends.push(feed === -1 ? undefined : isReturn ? "\r\n" : "\n");
    start = last + 1;
    if (lines.length % AT_ONCE === 0) await steps.spend(AT_ONCE);
  }
  return { mark, lines, ends };
}

/** The line end of the file as a whole. */
export function usualEnd({ ends }: FileText): string {
  return ends[0] ?? "\n";
}

export async function joined(pieces: readonly string[], steps: Steps): Promise<string> {
  let text = "";
  for (let at = 0; at < pieces.length; at += AT_ONCE) {
    text += pieces.slice(at, at + AT_ONCE).join("");
    await steps.spend(AT_ONCE);
  }
  return text;
}
