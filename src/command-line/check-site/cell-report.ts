/** Why a cell failed, or was not run, for programs. */
export type WhyCell =
  /** Its output is another than its author shows. */
  | "output"
  /** Its code raises, and its author does not show that. */
  | "raised"
  /** The solution of an exercise does not pass its checks, or raises. */
  | "solution"
  /** An exercise passes its checks before anybody has solved it. */
  | "solved"
  /** The widget does not run it, and says why. */
  | "refused"
  /** It did not end in its time. */
  | "late"
  /** The run before it did not end, so that it had no turn. */
  | "no-turn"
  /** It is in the file, and not on the page. */
  | "gone"
  /** Its `data-check` is not understood. */
  | "mark"
  /** Skipped: `data-check="skip"`. */
  | "skip"
  /** Skipped: its code calls `input()`. */
  | "input";

/** How a cell did. */
export interface CellVerdict {
  readonly outcome: "passed" | "failed" | "skipped";
  /** Null where it passed. */
  readonly why: WhyCell | null;
  /** A sentence; empty where there is nothing to say. */
  readonly message: string;
  /** Lines as `diff` marks them; none where no texts were compared, or they are equal. */
  readonly difference: readonly string[];
  /** What is worth knowing, and no failure. */
  readonly notes: readonly string[];
  /** The text that belongs into its `<output>`; null where none does. */
  readonly output: string | null;
}

/** A cell, and how it did. */
export interface CellReport extends CellVerdict {
  /** Among the cells that readers see, from 1; null for a hidden one. */
  readonly number: number | null;
  readonly label: string;
  /** Of its tag in the file; null where a script of the page made it. */
  readonly line: number | null;
  /** Whether its output was put into the file. */
  readonly isWritten: boolean;
}

/** A page, and how its cells did. */
export interface PageReport {
  /** Path of the file. */
  readonly file: string;
  readonly cells: readonly CellReport[];
  /** What kept the page from being checked, or its file from being written; null where nothing did. */
  readonly problem: string | null;
  /** What else was noticed: errors in its console, requests that were not let out. */
  readonly notes: readonly string[];
}
