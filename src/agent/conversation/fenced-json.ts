/**
 * What stands between the fences of a reply that are tagged as JSON, in their order, and between those without a tag. Blocks
 * that do not end are left out. Line by line, since a pattern takes forever on a reply that is nothing but fences.
 */
export function fencedJson(reply: string): {
  readonly tagged: readonly string[];
  readonly untagged: readonly string[];
} {
  const found = { tagged: new Array<string>(), untagged: new Array<string>() };
  let open: { readonly tag: string; readonly lines: string[] } | null = null;
  for (const line of reply.split(/\r\n?|\n/)) {
    const isFence = line.trimStart().startsWith(FENCE);
    const tag = tagOf(line);
    if (tag === "json" || (open === null && tag !== null)) {
      open = { tag, lines: [] };
    } else if (open !== null && isFence) {
      const { tag: kind, lines } = open;
      if (kind === "json") found.tagged.push(lines.join("\n"));
      else if (kind === "") found.untagged.push(lines.join("\n"));
      open = null;
    } else {
      open?.lines.push(line);
    }
  }
  return found;
}

const FENCE = "```";

/** Of a line that ends with a fence; null for another, and for one with two of them. */
function tagOf(line: string): string | null {
  const at = line.lastIndexOf(FENCE);
  if (at < 0) return null;
  let start = at;
  while (line[start - 1] === "`") start -= 1;
  const tag = line.slice(at + FENCE.length).trim();
  return line.indexOf(FENCE) === start && /^\w*$/.test(tag) ? tag.toLowerCase() : null;
}
