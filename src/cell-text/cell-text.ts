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

/** An author's result, as its element holds it. */
export interface ExpectedOutput {
  readonly text: string;
  /** Whether blanks count, as in a `<pre>`. Elsewhere HTML breaks lines as it likes. */
  readonly isPreformatted: boolean;
}

/** Whether a run came to what the author shows. Blanks at the ends of lines do not count, nor those around it all. */
export function isAsExpected({ text, isPreformatted }: ExpectedOutput, actual: string): boolean {
  const plain = isPreformatted ? withoutLineEnds : withSingleBlanks;
  return plain(text) === plain(actual);
}

/** A text as it is compared where blanks count. */
export function withoutLineEnds(text: string): string {
  const lines = tidyCode(text).split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}

function withSingleBlanks(text: string): string {
  return text
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}
