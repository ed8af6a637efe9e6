import type { ToolScope, Value } from "../../src/index.js";

/** A row of the specification, as data: what is done, and what must come of it. */
export interface ConformanceCase {
  /** The row of test/spec/py-code-mode-cases.md. */
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
  /** Begins with an interpreter and a storage that nobody used before. */
  readonly fresh?: boolean;
}

/** A row that is not promised yet, and why. */
export interface PendingRow {
  readonly id: string;
  readonly reason: string;
}

export type Step =
  | {
      readonly kind: "run";
      readonly code: string;
      readonly timeout?: number;
      /** The tools that this run sees. */
      readonly scope?: ToolScope;
      /**
       * Stops the run once its output contains this text. What `print` writes ends with a newline of its own, which
       * belongs to the text where the whole line is expected.
       */
      readonly stopAt?: string;
      /** Stops the run as it calls this tool, which then is not begun. */
      readonly stopAtCall?: string;
      /** Stops the run once this tool waits; see `waitingCalls`. */
      readonly stopInCall?: string;
      readonly expect: Expectation;
    }
  /** The same in a second session beside the first. */
  | { readonly kind: "run-beside"; readonly code: string; readonly expect: Expectation }
  | { readonly kind: "reset" }
  /** Ends the session and opens another on the same storage. */
  | { readonly kind: "reopen" }
  | { readonly kind: "close"; readonly times: number }
  /** The page stores a skill while the session is open. */
  | { readonly kind: "page-creates-skill"; readonly name: string; readonly source: string }
  /** The page opens a session with options of the wrong form. */
  | { readonly kind: "open-badly"; readonly options: unknown; readonly error: string; readonly includes: string };

/** All of it must hold; what is left out must be empty, null for the value. */
export interface Expectation {
  readonly value?: Value;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly error?: ExpectedError;
  /** A text that the notices contain. They are not looked at without it. */
  readonly notice?: string;
}

export interface ExpectedError {
  /** The Python class. */
  readonly type: string;
  /** Texts that `String(result.error)` contains. */
  readonly includes?: readonly string[];
  /** Texts that it does not contain. */
  readonly excludes?: readonly string[];
  /** All of `String(result.error)`. */
  readonly text?: string;
}

/** The steps of a row that is one piece of code. */
export function running(code: string, expect: Expectation = {}, timeout?: number): Step {
  return { kind: "run", code, expect, ...(timeout === undefined ? {} : { timeout }) };
}

/** Joins lines of code. */
export function lines(...parts: string[]): string {
  return parts.join("\n");
}
