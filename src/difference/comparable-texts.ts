import { decodeTextInSlices } from "../protocol/index.js";

/** Bytes, or characters, of one version of a file, beyond which its lines are not compared. */
const LARGEST_TEXT = 2_000_000;

/** Lines of both versions of a file together, beyond which they are not compared: that takes the page some tens of milliseconds. */
const MOST_LINES = 50_000;

/** The text of a file, null where there is no file; undefined where it is no text, or too large to be compared. */
export async function comparableText(bytes: Uint8Array | null): Promise<string | null | undefined> {
  if (bytes === null) return null;
  // As git has it: a text has no zero byte.
  if (bytes.byteLength > LARGEST_TEXT || bytes.includes(0)) return undefined;
  return decodeTextInSlices(bytes, { fatal: true }).catch(() => undefined);
}

/** Whether the lines of two texts can be compared while a page waits. */
export function areComparable(before: string | null, after: string | null): boolean {
  const texts = [before ?? "", after ?? ""];
  return texts.every((text) => text.length <= LARGEST_TEXT) && !haveMoreEnds(texts, MOST_LINES);
}

function haveMoreEnds(texts: readonly string[], most: number): boolean {
  let count = 0;
  for (const text of texts) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/** Each with the carriage return that it may end with. A last line without an end is marked as git marks it. */
export function markedLines(text: string | null): string[] {
  if (text === null || text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}
