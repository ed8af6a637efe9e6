/** Characters of a comment. */
const LONGEST_COMMENT = 100;

/** Text as a docstring, indented; nothing for no text. */
export function docstring(text: string, indent: string): string[] {
  const lines = text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => escaped(line).trimEnd());
  if (lines.length === 1 && lines[0] === "") return [];
  const [first = "", ...others] = lines;
  // A quotation mark at the end would be taken for the end of the string.
  const body = [first, ...others.map((line) => (line === "" ? "" : `${indent}${line}`))].join("\n");
  const closed = body.endsWith('"') ? `${body.slice(0, -1)}\\"` : body;
  return [`${indent}"""${closed}${others.length > 0 ? `\n${indent}` : ""}"""`];
}

/** `  # …`: the first line of a description; nothing where there is none. */
export function commentText(text: unknown): string {
  if (typeof text !== "string") return "";
  const line = oneLine(text);
  if (line === "") return "";
  return `  # ${line.length > LONGEST_COMMENT ? `${line.slice(0, LONGEST_COMMENT - 1).toWellFormed()}…` : line}`;
}

/** The first paragraph, on one line, without characters that nobody sees. */
export function oneLine(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  return printable(paragraph.replace(/\s+/gu, " "));
}

function escaped(line: string): string {
  return printable(line.replaceAll("\t", "    ")).replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "");
}
