import type { FileCell, Span } from "./html-cells.js";

/** What a cell came to, for the file that it is in. */
export interface NewOutput {
  readonly cell: FileCell;
  /** Plain text. */
  readonly text: string;
}

/** Why a cell's output cannot be written; null where it can. */
export function whyNotWritten({ outputs, codeEnd }: FileCell): string | null {
  const [output, ...others] = outputs;
  if (output === undefined) return codeEnd === null ? "no tag closes its code" : null;
  if (others.length > 0) return `it has ${String(outputs.length)} <output>s`;
  return output.text === null ? "no tag closes its <output>" : null;
}

/** `html` with each output in its `<output>`, or in a new one behind the code. Everything else stays as it is. */
export function withOutputs(html: string, outputs: readonly NewOutput[]): string {
  const lineEnd = /\r?\n/.exec(html)?.[0] ?? "\n";
  const edits = outputs
    .flatMap((output) => editFor(html, output, lineEnd) ?? [])
    .sort((one, other) => one.start - other.start);
  let written = "";
  let at = 0;
  for (const { start, end, text } of edits) {
    written += html.slice(at, start) + text;
    at = end;
  }
  return written + html.slice(at);
}

interface Edit extends Span {
  readonly text: string;
}

function editFor(html: string, { cell, text }: NewOutput, lineEnd: string): Edit | null {
  if (whyNotWritten(cell) !== null) return null;
  const plain = escaped(text, lineEnd);
  const [output] = cell.outputs;
  if (output?.text) {
    // Elsewhere than in a <pre> a browser would run lines together.
    const isBare = output.isPreformatted || !/[\r\n]| {2}/.test(text);
    return { ...output.text, text: isBare ? plain : `<pre>${plain}</pre>` };
  }
  if (cell.codeEnd === null || cell.codeStart === null) return null;
  const line = html.slice(html.lastIndexOf("\n", cell.codeStart - 1) + 1, cell.codeStart);
  const before = /^[ \t]*$/.test(line) ? `${lineEnd}${line}` : "";
  return { start: cell.codeEnd, end: cell.codeEnd, text: `${before}<output><pre>${plain}</pre></output>` };
}

/** As the text of an element. HTML takes the first line end of a `<pre>` for its own. */
function escaped(text: string, lineEnd: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "\r": "&#13;",
    "\n": lineEnd,
    "\0": "\uFFFD",
  };
  const written = text.replaceAll(/[&<>\r\n\0]/g, (character) => names[character] ?? character);
  return text.startsWith("\n") ? `${lineEnd}${written}` : written;
}
