/** Characters of what a model says around a document that it wraps. */
const LONGEST_REMARK = 600;

/**
 * A document of Markdown without the `markdown` fence that a model put around the whole of it; blocks of code inside keep
 * theirs. A document that is not wrapped is left as it is.
 */
export function unwrapMarkdown(text: string): string {
  const opening = /^[ \t]{0,3}(`{3,}|~{3,})[ \t]*(?:markdown|md|mdx|gfm)[ \t]*\r?$/im.exec(text);
  if (opening === null || !isRemark(text.slice(0, opening.index))) return text;
  const [line, fence = ""] = opening;
  const start = opening.index + line.length + 1;
  const end = endOf(text, start, fence);
  // What follows is the document's where it is more than a remark: then the fence is one of its examples.
  if (!isRemark(text.slice(end.after))) return text;
  return text.slice(start, end.at);
}

/** Where the fence closes that wraps the document; the end of the text where it is never closed. */
function endOf(text: string, start: number, fence: string): { readonly at: number; readonly after: number } {
  const mark = fence[0] ?? "`";
  const pattern = new RegExp(`^[ \\t]{0,3}${mark}{${String(fence.length)},}([^\\n]*)$`, "gm");
  pattern.lastIndex = start;
  let isInBlock = false;
  const free: RegExpExecArray[] = [];
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const isTagged = (found[1] ?? "").trim() !== "";
    if (isTagged) isInBlock = true;
    else if (isInBlock) isInBlock = false;
    else free.push(found);
  }
  // Blocks without a tag come in pairs; one that is left over ends the document.
  const last = free.length % 2 === 1 ? free.at(-1) : undefined;
  if (last === undefined) return { at: text.length, after: text.length };
  return { at: last.index, after: last.index + last[0].length };
}

/** Words of a model to its reader, and nothing that a document would have. */
function isRemark(text: string): boolean {
  const words = text.slice(0, LONGEST_REMARK + 1).trim();
  return text.trim().length <= LONGEST_REMARK && !/^[ \t]*(?:#|[-*+][ \t]|\d+\.[ \t]|\||>|```|~~~)/m.test(words);
}
