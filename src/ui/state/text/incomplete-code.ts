/**
 * Whether Python would want more lines: an open bracket or string, a block that
 * has only begun, or a block that an empty line has not ended yet.
 */
export function isIncomplete(code: string): boolean {
  const { open, inString, bare } = scan(code);
  if (open > 0 || inString) return true;
  const lines = bare.split("\n");
  const last = lines.at(-1) ?? "";
  if (last.trimEnd().endsWith("\\")) return true;
  const hasBlock = lines.some((line) => /:\s*$/.test(line) || /^\s*@/.test(line));
  return hasBlock && last.trim() !== "";
}

interface Scan {
  /** Brackets that were not closed. */
  readonly open: number;
  readonly inString: boolean;
  /** The code without strings, comments and what stands in brackets. */
  readonly bare: string;
}

function scan(code: string): Scan {
  const token = /#[^\n]*|"""|'''|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|[([{]|[)\]}]|[^]/g;
  let open = 0;
  let bare = "";
  for (let match = token.exec(code); match !== null; match = token.exec(code)) {
    const [text] = match;
    if (text === '"""' || text === "'''") {
      const end = code.indexOf(text, token.lastIndex);
      if (end < 0) return { open, inString: true, bare };
      token.lastIndex = end + 3;
      bare += "_";
    } else if ("([{".includes(text)) open += 1;
    else if (")]}".includes(text)) open -= 1;
    else if (open === 0 && !text.startsWith("#")) bare += /^["']/.test(text) ? "_" : text;
  }
  return { open, inString: false, bare };
}
