import type { Finding } from "../check/index.js";
import type { JournalEntry } from "../dispatch/index.js";
import { VitrineError, type OutputChunk, type RunErrorData, type Value } from "../protocol/index.js";

/** How a run ended badly. It is part of the result, never thrown. */
export class RunError {
  /** Stable: `PYTHON_ERROR`, `RUN_TIMEOUT`, `RUN_INTERRUPTED`, `SESSION_CLOSED` or the code of an error of ours. */
  readonly code: string;
  /** The Python class of the exception. */
  readonly pythonType: string;
  readonly message: string;
  /** As Python formats it, with the author's frames only. */
  readonly traceback: string;

  constructor({ code, pythonType, message, traceback }: RunErrorData) {
    this.code = code;
    this.pythonType = pythonType;
    this.message = message;
    this.traceback = traceback;
  }

  toString(): string {
    return this.traceback === "" ? this.message : this.traceback;
  }
}

/** What came of one `session.run`. */
export interface RunResult {
  readonly runId: string;
  /** The value of the last expression statement; null after an error and where there is none. */
  readonly value: Value;
  /** `repr()` of the value in Python, cut after some 10,000 characters; null where there is no value. */
  readonly valueRepr: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Rich outputs in the order they were shown. */
  readonly outputs: readonly DisplayChunk[];
  readonly error: RunError | null;
  readonly ok: boolean;
  /** Milliseconds the code ran, calls included. */
  readonly elapsed: number;
  /** Every call the code made, in the order they began. */
  readonly calls: readonly JournalEntry[];
  /** What an agent's code handed to `final_answer`. */
  readonly finalAnswer: { readonly value: Value; /** `str()` of it in Python. */ readonly text: string } | null;
  /** What the person should know beside the result: lost variables, cut output. */
  readonly notices: readonly string[];
  /** What the check before the run found; empty where there was none. */
  readonly findings: readonly Finding[];
}

export type DisplayChunk = Extract<OutputChunk, { kind: "display" }>;

/** The result of a run that did not come to run. */
export function failedRun(runId: string, error: RunErrorData): RunResult {
  return {
    runId,
    value: null,
    valueRepr: null,
    stdout: "",
    stderr: "",
    outputs: [],
    error: new RunError(error),
    ok: false,
    elapsed: 0,
    calls: [],
    finalAnswer: null,
    notices: [],
    findings: [],
  };
}

/** What a run ends with whose code never began, because of `error`. */
export function errorData(error: unknown): RunErrorData {
  const code = error instanceof VitrineError ? error.code : "UNEXPECTED";
  const pythonType = error instanceof Error ? error.name : "Error";
  const message = error instanceof Error ? error.message : String(error);
  return { code, pythonType, message, traceback: "" };
}
