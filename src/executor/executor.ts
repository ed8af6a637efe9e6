import type { BridgeHandler, BridgeOptions } from "../bridge/index.js";
import type {
  CheckReport,
  CheckRequest,
  Completion,
  OutputChunk,
  RunContext,
  RunReply,
  RunRequest,
  TransportKind,
  TrustLevel,
  Value,
  WheelBytes,
  WorkspaceChange,
} from "../protocol/index.js";
import type { BootKind } from "./boot/prepare-worker.js";
import type { SpareStatus } from "./boot/spare-slot.js";
import type { LoadProgress } from "./pyodide-files.js";
import type { StopReason } from "./run-watch.js";

/** What an executor can do where it stands. */
export interface ExecutorCapabilities {
  readonly trust: TrustLevel;
  readonly host: "page" | "sealed-frame";
  /** How Python waits for the page, and why so. */
  readonly syncCalls: { readonly transport: TransportKind; readonly reason: string };
  /** Whether running code can be stopped without losing its variables: always, while it waits, or never. */
  readonly stop: "always" | "while-waiting" | "never";
  readonly python: string;
  readonly pyodide: string;
  /** How the interpreter was started. */
  readonly boot: BootDescription;
}

/** How an interpreter was started. */
export type BootDescription = BootKind & {
  /** Whether it had been made beforehand. */
  readonly spare: boolean;
  /** Milliseconds to the end of each stage: those of its making from the start of that, `session` from when it was taken. */
  readonly stages: Readonly<Record<string, number>>;
};

/** What a run finds when its turn comes, and who hears of it. */
export interface ExecutorRun extends Omit<RunContext<WorkspaceChange>, "stopSign"> {
  readonly onOutput: (chunks: readonly OutputChunk[]) => void;
  /** The code is asked to stop: somebody wants it, or its time is over. What it waits for is not wanted any more. */
  readonly onInterrupt: () => void;
}

/**
 * Why an interpreter is gone: its code did not heed the deadline or a request to
 * stop, it crashed, it broke the protocol, or it was ended on purpose.
 */
export type LossReason = "timeout" | StopReason | "crashed" | "violation" | "ended";

/** How a run ended on this side. `lost`: the interpreter had to be killed, or died, and its variables are gone. */
export type ExecutorOutcome =
  | { readonly kind: "replied"; readonly reply: RunReply }
  | { readonly kind: "lost"; readonly reason: LossReason; readonly cause: Error };

export interface StartOptions {
  /** By method name; the executor hands them to the bridge. */
  readonly handlers: ReadonlyMap<string, BridgeHandler>;
  /** Counts and bounds the requests of the interpreter; see {@link BridgeOptions.admit}. */
  readonly admit?: BridgeOptions["admit"];
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Packages that the interpreter has from the start. Asked at each start. */
  readonly wheels?: () => readonly WheelBytes[];
  /** The interpreter was lost while nothing ran. */
  readonly onLost?: (reason: LossReason, cause: Error) => void;
}

/** Files of the workspace, and those that made trouble. */
export interface CollectedFiles extends Pick<RunReply, "files" | "fileProblems"> {
  readonly unstored: readonly UnstoredEntry[];
}

/** An empty folder, a folder that cannot be read, a link or a device: what an interpreter has until it ends. */
export interface UnstoredEntry {
  readonly path: string;
  readonly kind: "folder" | "link" | "other";
  /** Why what is in the folder is not known. */
  readonly note?: string;
}

/**
 * Where a session's code runs. One run at a time: the session queues them.
 * After a `lost` outcome, and after `stop`, `start` makes a new interpreter.
 */
export interface Executor {
  /** Undefined until it was started once. */
  readonly capabilities: ExecutorCapabilities | undefined;
  /** Whether there is an interpreter. Looks whether its worker is still there: what took it away may have told nobody. */
  readonly isStarted: boolean;
  /**
   * Starts an interpreter; does nothing while one is there, and joins a start that is under way.
   * @throws {VitrineError} and leaves nothing running; also when it was ended meanwhile.
   */
  start(options: StartOptions): Promise<void>;
  run(request: RunRequest, run: ExecutorRun): Promise<ExecutorOutcome>;
  /**
   * Asks the running code to stop; what it did stays. Code that does not obey is killed a second after it heard of that,
   * or after it was asked where it did not hear, and the run's outcome is then `lost`. Does nothing while nothing runs.
   */
  interrupt(reason: StopReason): void;
  /**
   * Stops the clock of the run, here and in the worker, for the time in which the code waits: what it computes beside
   * that counts. Answers with how to let the clock go on; where it was stopped several times, the last answer does.
   */
  pauseClock(): () => void;
  /** Runs a skill inside the waiting interpreter, for a tool that was called from there. */
  invokeSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value>;
  /**
   * Calls a function that session code defined as a tool, inside the interpreter that waits for the call `parent`.
   * @throws {InvocationError} with what it raised.
   */
  invokeTool(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value>;
  /** Takes what the code that waits for a tool has changed in `/workspace` since the run began, or since the last time. */
  collectFiles(): Promise<CollectedFiles>;
  /** Brings changes into the `/workspace` of the code that waits for a tool. Answers with what could not be brought in. */
  applyFiles(changes: readonly WorkspaceChange[]): Promise<CollectedFiles["fileProblems"]>;
  complete(code: string): Promise<Completion>;
  /** Looks for mistakes in pieces of code, in one step, without running them. Answers with a report of each. */
  check(...requests: CheckRequest[]): Promise<readonly CheckReport[]>;
  inspectSkill(name: string, source: string): Promise<string>;
  /** What is kept ready for the next start. */
  readonly spare: SpareStatus;
  /** Ends the interpreter for good, and lets go of the spare. */
  close(why: string): void;
  /** Ends the interpreter at once, or its start. `why` goes into the errors of what was under way. */
  stop(why: string): void;
}
