import { messageOf } from "../../protocol/index.js";
import type { RepairedTexts, TextInterpreter } from "../writing-session.js";
import { cleanText, type CleanText } from "./clean-text.js";
import { suspiciousLines, type SuspiciousLine } from "./suspicious-lines.js";

/** A text of a model for a file. */
export interface WrittenText {
  readonly path: string;
  readonly text: string;
}

/** Lines that a warning names. */
const MOST_NAMED = 10;

/**
 * Makes texts of models what is stored: ends of lines, byte order mark and NUL ({@link cleanText}), then mojibake, line by
 * line, in Python. Entities, quotes, ligatures and the rest of the text stay as they are. An interpreter is asked for only
 * where something looks like mojibake; one that does not come costs the repair and nothing else.
 *
 * @returns the texts in the same order, each with what a person may want to know.
 */
export async function prepareTexts(
  files: readonly WrittenText[],
  interpreter: () => Promise<TextInterpreter>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly CleanText[]> {
  const prepared: Prepared[] = [];
  for (const { text } of files) {
    const clean = await cleanText(text);
    prepared.push({ clean, ...(await suspiciousLines(clean.text)) });
  }
  const suspicious = prepared.flatMap(({ lines }) => lines.map(({ text }) => text));
  const repaired = suspicious.length === 0 ? undefined : await repair(suspicious, interpreter, signal);
  let taken = 0;
  return prepared.map(({ clean, lines, areAll }) => {
    const from = taken;
    taken += lines.length;
    const { text, warnings } = repaired === undefined ? clean : withRepairs(clean, lines, { repaired, from });
    const tooMuch = "Lines that look like mojibake are too long or too many to be looked at, and stay as they are.";
    return { text, warnings: areAll ? warnings : [...warnings, tooMuch] };
  });
}

interface Prepared {
  readonly clean: CleanText;
  readonly lines: readonly SuspiciousLine[];
  readonly areAll: boolean;
}

async function repair(
  texts: readonly string[],
  interpreter: () => Promise<TextInterpreter>,
  signal: AbortSignal | undefined,
): Promise<RepairedTexts> {
  try {
    const python = await interpreter();
    return await python.repair(texts, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    return { texts, isRepaired: false, reason: messageOf(error) };
  }
}

function withRepairs(
  { text, warnings }: CleanText,
  suspicious: readonly SuspiciousLine[],
  { repaired, from }: { readonly repaired: RepairedTexts; readonly from: number },
): CleanText {
  if (suspicious.length === 0) return { text, warnings };
  if (!repaired.isRepaired) {
    const places = named(suspicious.map(({ index }) => index));
    const why = repaired.reason === undefined ? "" : ` (${repaired.reason})`;
    const left = `What looks like mojibake stayed as it is, since what repairs it is not to be had${why}: ${places}.`;
    return { text, warnings: [...warnings, left] };
  }
  const lines = text.split("\n");
  const changed: number[] = [];
  for (const [offset, line] of suspicious.entries()) {
    // A line stays one.
    const better = repaired.texts[from + offset]?.replace(/[\r\n\0]/gu, "") ?? line.text;
    if (better === line.text) continue;
    lines[line.index] = better;
    changed.push(line.index);
  }
  if (changed.length === 0) return { text, warnings };
  return { text: lines.join("\n"), warnings: [...warnings, `Mojibake was repaired: ${named(changed)}.`] };
}

function named(indices: readonly number[]): string {
  const numbers = indices.slice(0, MOST_NAMED).map((index) => String(index + 1));
  const more = indices.length > MOST_NAMED ? ` and ${String(indices.length - MOST_NAMED)} more` : "";
  return `${indices.length === 1 ? "line" : "lines"} ${numbers.join(", ")}${more}`;
}
