/** The program of a reply, and what was left aside. */
export interface ExtractedCode {
  readonly code: string;
  /** Further Python blocks of the reply, which are not run. */
  readonly ignoredBlocks: number;
  /** The reply ended before the block did. */
  readonly unclosed: boolean;
}

/**
 * Finds the code block to run: the first that is tagged as Python, else the
 * first without a tag. Null when there is none.
 *
 * A block ends at a fence on a line of its own that is not part of a string in
 * the code; a tagged block that is never closed runs to the end of the reply.
 */
export function extractCode(reply: string): ExtractedCode | null {
  const blocks = findBlocks(withoutThinking(reply)).filter(({ code, kind }) => code !== "" && kind !== "other");
  const python = blocks.filter(({ kind }) => kind === "python");
  const candidates = python.length > 0 ? python : blocks.filter(({ unclosed }) => !unclosed);
  const [chosen] = candidates;
  if (chosen === undefined) return null;
  return { code: chosen.code, ignoredBlocks: candidates.length - 1, unclosed: chosen.unclosed };
}

interface Block {
  readonly kind: "python" | "untagged" | "other";
  readonly code: string;
  readonly unclosed: boolean;
}

function findBlocks(text: string): Block[] {
  const lines = text.split(/\r\n?|\n/);
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    const opening = readOpening(lines[index] ?? "");
    if (opening === null) continue;
    const start = index + 1;
    const end = findEnd(lines, start, opening);
    index = end ?? lines.length;
    blocks.push({ kind: opening.kind, code: dedent(lines.slice(start, index)), unclosed: end === null });
  }
  return blocks;
}

interface Opening {
  readonly indent: number;
  readonly fence: string;
  readonly kind: Block["kind"];
}

/** What follows a fence is its tag, and no more backticks. */
function readOpening(line: string): Opening | null {
  const match = /^([^`]*)(`{3,})[ \t]*([^\s`{]*)([^`]*)$/.exec(line);
  if (match === null) return null;
  const [, before = "", fence = "", tag = "", rest = ""] = match;
  const kind = kindOf(tag);
  // A list mark may stand before a fence. A sentence may too, but then only
  // the tag tells the fence from a mention of backticks.
  const marksOnly = /^(?:\s|[-*+]|\d+[.)])*$/.test(before);
  if (!marksOnly && (kind !== "python" || rest.trim() !== "")) return null;
  return { indent: marksOnly ? before.length : 0, fence, kind };
}

/** The line that closes the block. A report written in a string may hold fences of its own. */
function findEnd(lines: readonly string[], start: number, opening: Opening): number | null {
  const fences: number[] = [];
  for (let index = start; index < lines.length; index++) {
    if (closes(lines[index] ?? "", opening)) fences.push(index);
  }
  const outside = fences.find(
    (index) => opening.kind === "other" || !endsInsideString(lines.slice(start, index).join("\n")),
  );
  return outside ?? fences[0] ?? null;
}

function closes(line: string, { indent, fence }: Opening): boolean {
  const match = /^([ \t]*)(`{3,})[ \t]*$/.exec(line);
  return match !== null && (match[1] ?? "").length <= indent && (match[2] ?? "").length >= fence.length;
}

/** True when Python would still be reading a string in triple quotes. */
function endsInsideString(source: string): boolean {
  const token = /#[^\n]*|("""|''')|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?/g;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const quotes = match[1];
    if (quotes === undefined) continue;
    const end = new RegExp(`(?:\\\\[^]|[^\\\\])*?${quotes}`, "y");
    end.lastIndex = token.lastIndex;
    if (!end.test(source)) return true;
    token.lastIndex = end.lastIndex;
  }
  return false;
}

function kindOf(tag: string): Block["kind"] {
  if (tag === "") return "untagged";
  return /^(?:python|py)[23]?$/i.test(tag) ? "python" : "other";
}

function dedent(lines: readonly string[]): string {
  const written = lines.filter((line) => line.trim() !== "");
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

/** Some servers send a reasoning model's drafts as part of the reply; code in them is not meant to run. */
function withoutThinking(reply: string): string {
  return reply.replace(/^\s*<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/, "");
}
