import type { BridgeHandler, BridgeOptions } from "../bridge/index.js";
import type {
  Completion,
  OutputChunk,
  RunReply,
  RunRequest,
  TransportKind,
  TrustLevel,
  Value,
} from "../protocol/index.js";
import type { LoadProgress } from "./pyodide-files.js";

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
  /** Milliseconds from the start of the boot to the end of each of its stages. */
  readonly bootStages: Readonly<Record<string, number>>;
}

/** A run as the executor sees it: the code, and who hears its output. */
export interface ExecutorRun extends RunRequest {
  readonly onOutput: (chunks: readonly OutputChunk[]) => void;
}

/**
 * Why an interpreter is gone: its code did not heed the deadline or a request to
 * stop, it crashed, it broke the protocol, or it was ended on purpose.
 */
export type LossReason = "timeout" | "stopped" | "crashed" | "violation" | "ended";

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
  /** The interpreter was lost while nothing ran. */
  readonly onLost?: (reason: LossReason, cause: Error) => void;
}

/**
 * Where a session's code runs. One run at a time: the session queues them.
 * After a `lost` outcome, and after `stop`, `start` makes a new interpreter.
 */
export interface Executor {
  /** Undefined until it was started once. */
  readonly capabilities: ExecutorCapabilities | undefined;
  readonly isStarted: boolean;
  /**
   * Starts an interpreter; does nothing while one is there, and joins a start that is under way.
   * @throws {VitrineError} and leaves nothing running; also when it was ended meanwhile.
   */
  start(options: StartOptions): Promise<void>;
  run(run: ExecutorRun): Promise<ExecutorOutcome>;
  /**
   * Asks the running code to stop; what it did stays. Code that does not hear is killed after a second,
   * and the run's outcome is then `lost`. Does nothing while nothing runs.
   */
  interrupt(): void;
  /**
   * Stops the clock of the run while a person is asked, here and in the worker. Answers with how to let it go on;
   * of several questions the last one that is answered does.
   */
  pauseClock(): () => void;
  /** Runs a skill inside the waiting interpreter, for a tool that was called from there. */
  invokeSkill(name: string, args: Readonly<Record<string, Value>>, parent: string): Promise<Value>;
  complete(code: string): Promise<Completion>;
  inspectSkill(name: string, source: string): Promise<string>;
  /** Ends the interpreter at once, or its start. `why` goes into the errors of what was under way. */
  stop(why: string): void;
}
