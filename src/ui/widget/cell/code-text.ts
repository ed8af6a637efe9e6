import { LONGEST_LINKED, pythonFragment } from "../../state/text/python-link.js";
import { tidyCode } from "../shared/tidy-code.js";

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

function withoutLineEnds(text: string): string {
  const lines = tidyCode(text).split("\n");
  return lines.map((line) => line.trimEnd()).join("\n");
}

function withSingleBlanks(text: string): string {
  return text
    .split(/\s/)
    .filter((word) => word !== "")
    .join(" ");
}

/** The address of a demo that opens with `code` in its console; null for more code than an address carries. */
export function demoLink(demo: string, code: string): string | null {
  if (code.length > LONGEST_LINKED) return null;
  const url = new URL(demo);
  url.hash = pythonFragment(code);
  return url.href;
}

/** A name for a download, from what the cell is called. */
export function fileNameOf(label: string): string {
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.join("-").slice(0, 60) || "cell"}.py`;
}
