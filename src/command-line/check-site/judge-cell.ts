import { isAsExpected, withoutLineEnds, type ExpectedOutput } from "../../cell-text/index.js";
import { lineDifference, unifiedHunks } from "../../difference/index.js";
import type { CellVerdict, WhyCell } from "./cell-report.js";
import type { CellRun, SeenCell } from "./page-script.js";

/** Lines of a difference that are shown. */
const MOST_LINES = 24;

/** Characters of each that are shown. */
const LONGEST_LINE = 200;

/** What the author of a cell says of its check: `run` and `skip`, with a reason after a colon. */
export type Mark =
  | { readonly kind: "compare" }
  | { readonly kind: "run" | "skip"; readonly reason: string }
  | { readonly kind: "unknown"; readonly text: string };

export function readMark(text: string | null): Mark {
  if (text === null) return { kind: "compare" };
  const [, kind, reason = ""] = /^\s*(run|skip)\s*(?::\s*(.*?)\s*)?$/s.exec(text) ?? [];
  return kind === "run" || kind === "skip" ? { kind, reason } : { kind: "unknown", text };
}

export interface Runs {
  /** Of the author's code. */
  readonly own: CellRun;
  /** Of the solution; null where there is none, or it was not tried. */
  readonly solved: CellRun | null;
}

/** Whether the run of a cell was what its author shows. */
export function judgeCell(
  cell: SeenCell,
  { own, solved }: Runs,
  { writes }: { readonly writes: boolean },
): CellVerdict {
  const mark = readMark(cell.mark);
  if (mark.kind === "unknown") {
    return failed("mark", `data-check="${mark.text}" is neither run nor skip, with a reason after a colon or without.`);
  }
  if (mark.kind === "skip")
    return skipped("skip", `data-check says skip${mark.reason === "" ? "" : `: ${mark.reason}`}`);
  const ofExercise = cell.checks > 0 && cell.solution !== null ? judgeExercise(own, solved) : null;
  if (ofExercise?.outcome === "failed" || ofExercise?.outcome === "skipped") return ofExercise;
  // What an exercise is expected to come to is what its solution comes to.
  const run = cell.isHeld && solved !== null ? solved : own;
  if (run.kind !== "ran") return withoutResult(run);
  const notes = notesOf(cell, own);
  const shown = mark.kind === "run" ? null : cell.result;
  // The code that an exercise begins with may well be unfinished.
  const mayRaise = ofExercise !== null && run === own;
  if (run.error !== null) return judgeRaised(run, { shown, mayRaise, isMarked: mark.kind === "run", notes, writes });
  // Without a solution nothing says what the code of an exercise should come to.
  const isOpen = cell.isHeld && cell.checks > 0 && cell.solution === null;
  const output = outputOf(cell, run.text);
  if (shown === null || isOpen || isAsExpected(shown, run.text)) return { ...passed(notes), output };
  if (writes) return { ...passed(notes), output, difference: differenceOf(shown, run.text) };
  return {
    ...failed("output", "The output differs from the one that the page shows.", notes),
    difference: differenceOf(shown, run.text),
    output,
  };
}

type Ran = Extract<CellRun, { readonly kind: "ran" }>;

function judgeExercise(own: CellRun, solved: CellRun | null): CellVerdict {
  if (own.kind !== "ran") return withoutResult(own);
  if (own.error === null && own.checks.length > 0 && own.checks.every(({ passed: isPassed }) => isPassed)) {
    return failed("solved", "The code passes all checks before anybody has changed it.");
  }
  if (solved?.kind !== "ran") return withoutResult(solved ?? own);
  if (solved.error !== null) return failed("solution", `The solution raises ${placed(solved)}.`);
  const wrong = solved.checks.filter(({ passed: isPassed }) => !isPassed);
  if (wrong.length === 0) return passed();
  const named = wrong.map(({ label, reason }) => (reason === "" ? label : `${label} (${firstLine(reason)})`));
  return failed("solution", `The solution does not pass: ${named.join("; ")}.`);
}

function judgeRaised(
  run: Ran,
  {
    shown,
    mayRaise,
    isMarked,
    notes,
    writes,
  }: {
    readonly shown: ExpectedOutput | null;
    readonly mayRaise: boolean;
    readonly isMarked: boolean;
    readonly notes: readonly string[];
    readonly writes: boolean;
  },
): CellVerdict {
  const raises = `The code raises ${placed(run)}.`;
  const text = withError(run);
  if (shown !== null && isRaiseAsExpected(shown, run)) return passed(notes);
  if (shown !== null && !isMarked && names(shown, run)) {
    const difference = differenceOf(shown, text);
    if (writes) return { ...passed(notes), output: text, difference };
    return { ...failed("output", `${raises} The page shows it in another way.`, notes), difference, output: text };
  }
  if (mayRaise) return passed([...notes, raises]);
  const said = shown === null ? "" : " The page does not show that.";
  return failed("raised", `${raises}${said}`, notes);
}

/** A run that came to no result: it was not made, or has not ended. */
function withoutResult(run: CellRun): CellVerdict {
  switch (run.kind) {
    case "ran":
      return passed();
    case "refused":
      return failed("refused", run.message);
    case "asked":
      return skipped("input", "It calls input(), which is not answered here.");
    case "late":
      return failed("late", `It did not end in its time${run.isStopped ? "" : ", and did not stop either"}.`);
  }
}

/** An author's result that has an error in it: after what was printed, by its last lines, with Python's traceback or without. */
function isRaiseAsExpected(shown: ExpectedOutput, run: Ran): boolean {
  if (isAsExpected(shown, withError(run))) return true;
  const lines = withoutLineEnds(shown.text).split("\n");
  const start = lines.findIndex((line) => line.startsWith("Traceback (most recent call last):"));
  if (start === -1) return false;
  // Frames differ with where code runs, so that only what follows them counts.
  const end = lines.findIndex((line, at) => at > start && line !== "" && !/^\s/.test(line));
  const rest = [...lines.slice(0, start), ...(end === -1 ? [] : lines.slice(end))].join("\n");
  return isAsExpected({ ...shown, text: rest }, withError(run));
}

/** Whether an author's result speaks of the error, if with other words. */
function names(shown: ExpectedOutput, { error }: Ran): boolean {
  const type = shortName(error?.pythonType ?? "");
  return shown.text.split("\n").some((line) => shortName(/^\s*([\w.]+)/.exec(line)?.[1] ?? "") === type);
}

function withError({ text, error }: Ran): string {
  if (error === null) return text;
  const printed = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return printed + errorText(error);
}

function errorText({ pythonType, message }: NonNullable<Ran["error"]>): string {
  return message === "" ? shortName(pythonType) : `${shortName(pythonType)}: ${message}`;
}

function shortName(type: string): string {
  return type.slice(type.lastIndexOf(".") + 1);
}

function placed({ error, faultLine }: Ran): string {
  if (error === null) return "nothing";
  const place = faultLine === null ? "" : ` in line ${String(faultLine)} of its code`;
  return `${firstLine(errorText(error)).replace(/\.$/, "")}${place}`;
}

function firstLine(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return cut(first);
}

/** Nothing goes where nothing was. */
function outputOf({ result, checks }: SeenCell, text: string): string | null {
  const plain = text.replace(/[\r\n]+$/, "");
  return result === null && (plain.trim() === "" || checks > 0) ? null : plain;
}

function notesOf({ checks, solution }: SeenCell, own: CellRun): string[] {
  const isExercise = checks > 0 && solution === null;
  const isSilent = own.kind === "ran" && own.isRich && own.text === "";
  return [
    ...(isExercise ? ['It has checks and no slot="solution" that they could be tried with.'] : []),
    ...(isSilent ? ["It shows what is no text, which is neither compared nor written."] : []),
  ];
}

/** `-` is what the page shows, `+` what the code came to. */
function differenceOf(shown: ExpectedOutput, text: string): string[] {
  const lines = unifiedHunks(lineDifference(comparable(shown, shown.text), comparable(shown, text)));
  const left = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES).map(cut), ...(left > 0 ? [`… ${String(left)} more lines`] : [])];
}

function comparable({ isPreformatted }: ExpectedOutput, text: string): string {
  return isPreformatted ? withoutLineEnds(text) : text.split(/\s+/).filter(Boolean).join(" ");
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

function passed(notes: readonly string[] = []): CellVerdict {
  return { outcome: "passed", why: null, message: "", difference: [], notes, output: null };
}

export function failed(why: WhyCell, message: string, notes: readonly string[] = []): CellVerdict {
  return { outcome: "failed", why, message, difference: [], notes, output: null };
}

export function skipped(why: WhyCell, message: string): CellVerdict {
  return { outcome: "skipped", why, message, difference: [], notes: [], output: null };
}
