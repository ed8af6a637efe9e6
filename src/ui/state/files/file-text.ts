/** Bytes of a file that is edited in the page. */
export const LARGEST_EDITED = 1_000_000;

/** What a file is to the editor. */
export type FileText =
  /** Its lines end with `lineEnd`, all of them, so that they end with it again when it is saved. */
  | { readonly kind: "text"; readonly text: string; readonly lineEnd: "\n" | "\r\n" }
  | { readonly kind: "binary" }
  | { readonly kind: "large" }
  /** One of its lines is. */
  | { readonly kind: "long" };

/** Characters of a line: engines and the editor are slow with longer ones, for minutes with those of some scripts. */
const LONGEST_LINE = 5000;

/** What the bytes of a file are. Text is UTF-8 without a zero byte; nothing of it is changed, a mark of byte order included. */
export function fileText(bytes: Uint8Array): FileText {
  if (bytes.byteLength > LARGEST_EDITED) return { kind: "large" };
  const text = textOf(bytes);
  if (text === null) return { kind: "binary" };
  return hasLongLine(text) ? { kind: "long" } : { kind: "text", text, lineEnd: lineEndOf(text) };
}

function hasLongLine(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    if (end - start > LONGEST_LINE) return true;
    start = end + 1;
  }
  return text.length - start > LONGEST_LINE;
}

/** The text of the bytes; null where they are none, or too many. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.byteLength > LARGEST_EDITED || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Where a text has line ends of several kinds, a line feed alone is one for the editor, and the others are characters. */
function lineEndOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text) ? "\r\n" : "\n";
}

/** A path for a copy beside a file, which none of `taken` has: `notes (copy).md`, `notes (copy 2).md`. */
export function copyPath(path: string, taken: ReadonlySet<string>): string {
  const name = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > name ? dot : path.length;
  for (let number = 1; ; number += 1) {
    const mark = number === 1 ? " (copy)" : ` (copy ${String(number)})`;
    const copy = path.slice(0, end) + mark + path.slice(end);
    if (!taken.has(copy)) return copy;
  }
}
