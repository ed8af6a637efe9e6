import { shortenUnitsTo } from "../../protocol/index.js";

/** Lines before and after one that is shown. */
const AROUND = 3;

/** Lines that are shown, and characters of each. */
const MOST_LINES = 60;
const LONGEST_LINE = 200;

/**
 * The lines of a text around some of them, each with its number, and a mark for what was left out in between.
 *
 * @param wanted - from 1 on; what is beyond the end means the last line.
 */
export function numberedLines(text: string, wanted: readonly number[]): string {
  const lines = text.replace(/\n$/u, "").split("\n");
  const shown = new Set<number>();
  for (const each of wanted) {
    const middle = Math.min(Math.max(1, each), lines.length);
    const first = Math.max(1, middle - AROUND);
    const last = Math.min(lines.length, middle + AROUND);
    for (let line = first; line <= last && shown.size < MOST_LINES; line += 1) shown.add(line);
  }
  const width = String(lines.length).length;
  const parts: string[] = [];
  let before = 0;
  for (const line of [...shown].sort((a, b) => a - b)) {
    if (before > 0 && line > before + 1) parts.push("…");
    parts.push(`${String(line).padStart(width)} | ${shortenUnitsTo(lines[line - 1] ?? "", LONGEST_LINE)}`);
    before = line;
  }
  return parts.join("\n");
}
