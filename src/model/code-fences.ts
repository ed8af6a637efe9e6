/** The line that begins a block of code. */
export interface Opening {
  readonly indent: number;
  readonly fence: string;
  readonly kind: "python" | "untagged" | "other";
  /** What follows the fence, as it was written: `python`, `src/app.py`; empty where nothing does. */
  readonly tag: string;
  /** The code of a block that is one line, fences and all. */
  readonly inline: string | null;
}

/** What follows a fence is its tag, and no more backticks but those that close it on the same line. */
export function readOpening(line: string): Opening | null {
  const at = line.indexOf("`");
  const before = line.slice(0, at);
  const fence = /^`{3,}/.exec(line.slice(Math.max(at, 0)))?.[0];
  if (fence === undefined) return null;
  const [, tag = "", rest = ""] = /^[ \t]*([^\s`{]*)([^]*)$/.exec(line.slice(at + fence.length)) ?? [];
  const kind = kindOf(tag);
  // A list mark may stand before a fence. A sentence may too, but then only
  // the tag tells the fence from a mention of backticks.
  const marksOnly = /^(?:\s|[-*+]|\d+[.)])*$/.test(before);
  if (rest.includes("`")) {
    const code = rest.trim();
    const isBlock = marksOnly && kind === "python" && code.indexOf(fence) === code.length - fence.length;
    return isBlock ? { indent: 0, fence, kind, tag, inline: withoutFence(code).trim() } : null;
  }
  if (!marksOnly && (kind !== "python" || rest.trim() !== "")) return null;
  return { indent: marksOnly ? before.length : 0, fence, kind, tag, inline: null };
}

/** A fence may stand a little further in than the one it closes, as in Markdown. */
export function closes(line: string, { indent, fence }: Opening): boolean {
  const match = /^([ \t]*)(`{3,})[ \t]*$/.exec(line);
  return match !== null && (match[1] ?? "").length <= indent + 3 && (match[2] ?? "").length >= fence.length;
}

/** By hand: a pattern would try every backtick of a long row. */
export function withoutFence(code: string): string {
  let end = code.length;
  while (code[end - 1] === "`") end -= 1;
  return code.slice(0, end).trimEnd();
}

function kindOf(tag: string): Opening["kind"] {
  if (tag === "") return "untagged";
  return /^(?:python|py)(?:[23](?:\.\d+)*)?$/i.test(tag) ? "python" : "other";
}

/** The quotes of the string that Python is still reading after the line, if it was reading `open` before it. */
export function openString(line: string, open: string | null): string | null {
  const token = /\\[^]?|#|"""|'''|"|'/g;
  let quotes = open;
  let text = "";
  for (let match = token.exec(line); match !== null; match = token.exec(line)) {
    [text] = match;
    if (quotes === null) {
      if (text === "#") return null;
      if (!text.startsWith("\\")) quotes = text;
    } else if (text.startsWith(quotes)) {
      token.lastIndex = match.index + quotes.length;
      quotes = null;
    }
  }
  // Only a backslash carries a string in single quotes over the end of a line.
  return quotes?.length === 3 || text === "\\" ? quotes : null;
}
