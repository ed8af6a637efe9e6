/** What HTML adds to code goes: blank lines around it, and the indentation that all lines have. */
export function tidyCode(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n").map(withoutBlanks);
  const first = lines.findIndex((line) => line !== "");
  if (first === -1) return "";
  const last = lines.findLastIndex((line) => line !== "");
  const kept = lines.slice(first, last + 1);
  const common = kept
    .filter((line) => line !== "")
    .map(indentationOf)
    .reduce(commonStart);
  return kept.map((line) => line.slice(common.length)).join("\n");
}

/** An editor may have left blanks on an empty line, which would count as its indentation. */
function withoutBlanks(line: string): string {
  return line.trim() === "" ? "" : line;
}

function indentationOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
