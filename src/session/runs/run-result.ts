import type { Finding } from "../../check/index.js";
import type { JournalEntry } from "../../dispatch/index.js";
import {
  messageOf,
  VitrineError,
  type MemoryReport,
  type OutputChunk,
  type RunErrorData,
  type SignalType,
  type Value,
} from "../../protocol/index.js";

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

/** What came of one `session.run`. `T` is what the caller says that the value will be; nothing checks it. */
export interface RunResult<T = Value> {
  readonly runId: string;
  /** The value of the last expression statement; null after an error and where there is none. */
  readonly value: T;
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
  /** Milliseconds that the code might run; null for no limit, and for a run that did not come to run. */
  readonly timeout: number | null;
  /** Bytes that the run added to Python's heap, which never shrinks; null where its worker cannot tell any more. */
  readonly heapGrowth: number | null;
  /** Every call the code made, in the order they began. */
  readonly calls: readonly JournalEntry[];
  /** What an agent's code handed to `final_answer`. */
  readonly finalAnswer: FinalResult | null;
  /** What an agent's code said of its work, in order. */
  readonly signals: readonly Signal[];
  /** What an agent's code noted down in this task so far; null in other runs, and where the interpreter was lost. */
  readonly memory: MemoryReport | null;
  /** The interpreter was ended: its variables are gone. */
  readonly lost: boolean;
  /**
   * The session could not run the code and will run no other: it is closed, or no interpreter starts. `error` says why;
   * its code alone does not tell, since what the code calls may fail with the same one.
   */
  readonly sessionFailed?: true;
  /** What the person should know beside the result: lost variables, cut output. */
  readonly notices: readonly string[];
  /** What the check before the run found; empty where there was none. */
  readonly findings: readonly Finding[];
  /**
   * The tools that the code calls by name, by its syntax tree. Empty where it was not checked, but for code of an agent
   * that failed.
   */
  readonly namedTools: readonly NamedTool[];
}

/** A tool that code calls as `tools.weather.today()`: by the names that Python uses. */
export interface NamedTool {
  readonly tool: string;
  /** Null where the tool itself is named. */
  readonly callable: string | null;
}

/** An answer as the code gave it. */
export interface FinalResult {
  readonly value: Value;
  /** `str()` of it in Python. */
  readonly text: string;
  /** How the code says that it made sure; null where it does not say. */
  readonly verifiedBy: string | null;
}

/** Something that an agent's code told whoever follows the task. */
export interface Signal {
  readonly type: SignalType;
  readonly message: string;
}

/** What a run shows: its last value, a call of `display()`, a figure. */
export type DisplayChunk = Extract<OutputChunk, { kind: "display" }>;

/** What a run ends with that was stopped before its code began. */
export const STOPPED_BEFORE_START: RunErrorData = {
  code: "RUN_INTERRUPTED",
  pythonType: "RunInterruptedError",
  message: "The run was stopped before it began.",
  traceback: "",
};

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
    timeout: null,
    heapGrowth: null,
    calls: [],
    finalAnswer: null,
    signals: [],
    memory: null,
    lost: false,
    notices: [],
    findings: [],
    namedTools: [],
  };
}

/** Codes of failures for which no code is to blame, where it is the session that fails. */
const SESSION_FAILURES: ReadonlySet<string> = new Set([
  "SESSION_CLOSED",
  "CSP_BLOCKED",
  "WORKER_START",
  "ASSET_LOAD",
  "PROTOCOL_VIOLATION",
  "UNEXPECTED",
]);

/** The result of a run that the session could not carry out. */
export function refusedRun(runId: string, error: unknown): RunResult {
  const data = errorData(error);
  const result = failedRun(runId, data);
  return SESSION_FAILURES.has(data.code) ? { ...result, sessionFailed: true } : result;
}

/** What a run ends with whose code never began, because of `error`. */
function errorData(error: unknown): RunErrorData {
  const code = error instanceof VitrineError ? error.code : "UNEXPECTED";
  const pythonType = error instanceof Error ? error.name : "Error";
  const message = messageOf(error);
  return { code, pythonType, message, traceback: "" };
}
