import type { OutputChunk, Completion, TrustLevel } from "../../protocol/index.js";
import type { RunOptions, RunResult, Session } from "../../session/index.js";

/**
 * What the part of a cell that is there before the first click, and the part that comes with it, know of each other.
 * Types alone: whatever the first imports is loaded with every page.
 */

/** A file of the site that code finds in `/workspace`. */
export interface CellFile {
  /** Absolute. */
  readonly url: string;
  /** Relative to `/workspace`. */
  readonly path: string;
}

/** What a cell asks of its interpreter. */
export interface CellSettings {
  /** Cells of one name share variables. Null: the cell is alone, and each of its runs begins afresh. */
  readonly session: string | null;
  readonly trust: TrustLevel;
  /** Code that runs once in a fresh interpreter, before the cell's first run there. Empty: none. */
  readonly setup: string;
  readonly deps: readonly string[];
  /** Absolute addresses of folders with wheels and an `index.json`, in the order in which they are asked. */
  readonly packages: readonly string[];
  readonly files: readonly CellFile[];
  /** Names of tools that the page registered, and absolute addresses of tool files. */
  readonly tools: readonly string[];
  /** Milliseconds that a run may take; null for no limit. */
  readonly timeout: number | null;
}

/** Code that judges what the reader's code came to. It runs in a session of its own, which the reader's code never sees. */
export interface CellCheck {
  readonly code: string;
  /** Variables and functions of the reader that the check's code finds under the same names. */
  readonly wants: readonly string[];
  /** What it looks at, for the reader. */
  readonly label: string;
}

export type CheckOutcome =
  | { readonly kind: "passed"; readonly label: string }
  /** `reason` is what the check's code raised, for the reader: the message of an AssertionError, else the last line. */
  | { readonly kind: "failed"; readonly label: string; readonly reason: string };

/** What a run waits for, before its code is at work and while it is. */
export type CellPhase =
  | { readonly kind: "waiting"; readonly reason: "other-cells" }
  /** Bytes; `total` is undefined while a server does not tell it. */
  | { readonly kind: "loading-python"; readonly loaded: number; readonly total: number | undefined }
  | { readonly kind: "starting-python" }
  | { readonly kind: "loading-files"; readonly names: readonly string[] }
  | { readonly kind: "installing"; readonly packages: readonly string[] }
  | { readonly kind: "preparing" }
  | { readonly kind: "running" }
  | { readonly kind: "checking" };

export interface CellRunRequest {
  readonly settings: CellSettings;
  readonly code: string;
  /** Code of the hidden cells before it in the page that share its session: each runs once in an interpreter. */
  readonly before: readonly string[];
  readonly checks: readonly CellCheck[];
  /** How tracebacks call the code, `cell 3` for instance. */
  readonly name: string;
  /** Stops the run, also while it waits or Python loads. */
  readonly signal: AbortSignal;
  readonly onPhase: (phase: CellPhase) => void;
  readonly onOutput: (chunk: OutputChunk) => void;
  /** Answers `input()` until `signal` says that the answer is not waited for any more. */
  readonly onInput: (prompt: string, context: { readonly signal: AbortSignal }) => Promise<string>;
}

export interface CellOutcome {
  readonly result: RunResult;
  /** In the order of the request's checks. Empty where the run failed. */
  readonly checks: readonly CheckOutcome[];
  /** Line of the cell's own code where the error was raised, counted from 1; null where there is none. */
  readonly faultLine: number | null;
  /** What the run printed and came to as plain text, as it is held against an expected output. */
  readonly text: string;
  /** Milliseconds that the code itself took. */
  readonly duration: number;
}

/** What else than the run of a cell asks for a session: a step of an agent, for instance. */
export type SessionRequest = Pick<CellRunRequest, "settings" | "before" | "signal" | "onPhase">;

/** A session of cells, for the time of one job. */
export interface LentSession {
  readonly session: Session;
  /** Aborted when the job is stopped, or when its session is reset or closed meanwhile. */
  readonly signal: AbortSignal;
  /** Runs code. Its result says, too, what is to be noted of the session. */
  run(code: string, options: RunOptions): Promise<RunResult>;
}

/** The interpreters of a page's cells. */
export interface CellRuntime {
  /**
   * Rejects with a `VitrineError` where the code could not be run at all: a policy of the site, a file that is missing,
   * a tool that no page script registered. Whatever the code does, it resolves.
   */
  run(request: CellRunRequest): Promise<CellOutcome>;
  /**
   * Does a job with the session of the settings when its turn comes, brought to what they ask for as before a cell's run:
   * no cell's run is at work in it meanwhile. The job must not wait for such a run.
   *
   * @throws {VitrineError} where the session could not be had. @throws what the job throws.
   */
  withSession<T>(request: SessionRequest, job: (lent: LentSession) => Promise<T>): Promise<T>;
  /** Completes the name that `code` ends with. Null where no interpreter of the cell is idle. */
  complete(settings: CellSettings, code: string): Promise<Completion | null>;
  /** Gives a named session a fresh interpreter; its setup and hidden cells run again with the next run. */
  reset(session: string): Promise<void>;
  /** Ends a named session, when the last of its cells is gone. */
  close(session: string): Promise<void>;
}

/** What the chunk of the first click exports. */
export interface RuntimeModule {
  openRuntime(): CellRuntime;
}

/** An editor in the place of a cell's code. */
export interface CellEditor {
  code: string;
  readonly element: HTMLElement;
  focus(): void;
  /** Marks a line, counted from 1, and says below it what is wrong there. Null takes the mark away, as does an edit of the line. */
  showFault(fault: { readonly line: number; readonly message: string } | null): void;
  close(): void;
}

export interface CellEditorOptions {
  readonly code: string;
  /** What screen readers call it. */
  readonly label: string;
  readonly readonly: boolean;
  /** The shadow root that the editor is put into: CodeMirror adds its styles there. */
  readonly root: ShadowRoot;
  readonly onChange: () => void;
  /** Mod-Enter. */
  readonly onRun: () => void;
  /** Escape: the focus goes back to the cell's buttons, so that Tab may indent. */
  readonly onLeave: () => void;
  readonly complete: (code: string) => Promise<Completion | null>;
}

/** What the chunk of the editor exports. */
export interface EditorModule {
  openEditor(options: CellEditorOptions): CellEditor;
}

/** The element `<vitrine-output>`: what a run printed, showed and came to, with what code made drawn in sealed frames. */
export interface OutputElement extends HTMLElement {
  /** Takes away what is drawn. */
  clear(): void;
  /** Adds a piece of output as it comes. */
  add(chunk: OutputChunk): void;
  /** The end of the run: its value, error and notices. Null while it goes on. */
  result: RunResult | null;
}
