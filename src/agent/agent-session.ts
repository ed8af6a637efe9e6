import type { JournalEntry, Policy } from "../dispatch/index.js";
import type { OutputChunk, RunHelpers, Value } from "../protocol/index.js";
import type { ClientCallsOptions, RunOptions, RunResult } from "../session/index.js";
import type { CallingTask, Tool, ToolScope } from "../tools/index.js";
import type { CallJournal } from "./take-up.js";

/** What an agent needs of a session. `Session` has it all; a session elsewhere may too. */
export interface AgentSession {
  readonly tools: {
    list(): Awaitable<readonly Tool[]>;
    /** Resolves when what `list` tells is whole: servers may still be connecting. */
    settled?(): Promise<void> | undefined;
  };
  readonly skills: { list(): Awaitable<{ readonly skills: readonly AgentSkill[] }> };
  readonly workspace: { list(): Awaitable<readonly WorkspaceFile[]> };
  /** Where its calls are noted: what a task that is taken up again is told by. */
  readonly journal?: CallJournal;
  /** Runs code after the runs before it. A run that fails resolves too; a rejection ends the task. */
  run(code: string, options: AgentRunOptions): Promise<RunResult>;
}

/** A session that an agent opens for one task. */
export interface OwnedSession extends AgentSession {
  close(): Promise<void>;
}

/** What an agent that calls tools itself needs of a session. `Session` has it all, and so has a session inside another one. */
export interface ToolSession {
  readonly tools: {
    /** Resolves when what is listed is whole: servers may still be connecting. */
    settled?(): Promise<void> | undefined;
  };
  /** Where its calls are noted: what a task that is taken up again is told by. */
  readonly journal?: CallJournal;
  /** The session as an agent sees it that runs no code. */
  client(options: { readonly caller: "agent"; readonly scope?: ToolScope }): ToolClient;
}

/** A session that such an agent opens for one task. */
export interface OwnedToolSession extends ToolSession {
  close(): Promise<void>;
}

export interface ToolClient {
  listTools(): readonly Tool[];
  /** Begins the calls of one task. */
  openCalls(options: Required<ClientCallsOptions>): ToolCalls;
}

/** The calls of one task, which belong together: what a person wants remembered for the run is remembered until `close`. */
export interface ToolCalls {
  /** Calls a tool: `weather`, `github.get_repo`. A rejection is what the model is told; that of a closed session ends the task. */
  call(
    name: string,
    args: Readonly<Record<string, Value>>,
    options: { readonly signal: AbortSignal; readonly task: CallingTask },
  ): Promise<Value>;
  /** By which the journal names them. */
  readonly runId: string;
  close(): void;
}

export interface AgentRunOptions {
  /** Names the run, so that the journal's entries can be told from others after a crash. */
  readonly runId: string;
  /** Adds `final_answer`, signals and the task's memory to the names that the code finds. */
  readonly helpers: Extract<RunHelpers, { kind: "agent" }>;
  /** Whether the code is checked before it is run, and not run where it would certainly fail. */
  readonly check: AgentCheck;
  /** The task: the tools that the code calls find it in their context. */
  readonly task: CallingTask;
  /** How tracebacks call the code. The same in every replay of a task, because models read tracebacks. */
  readonly name: string;
  /** Decides about the calls of the run; it can only be stricter than the session. */
  readonly policy: Policy;
  readonly imports?: readonly string[];
  /** Bytes that the run may add to Python's heap. Default: what the session's limit leaves. */
  readonly heapGrowth?: number;
  /** Milliseconds; null for no limit. Default: the session's. */
  readonly timeout?: number | null;
  /** Told that the run's clock stands still, because a person is asked; what it returns is called when it goes on. */
  readonly onPause: () => () => void;
  /** Answers what the code asks. Default: the session's. */
  readonly onInput?: (question: string) => Promise<string>;
  /** Interrupts this run, also while it waits for its turn. */
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: OutputChunk) => void;
  /** Told twice of a call: when it begins, and with its outcome. */
  readonly onCall: (entry: JournalEntry) => void;
}

/** How code is checked before it is run; with `types`, a type checker is asked as well. */
export type AgentCheck = NonNullable<RunOptions["check"]>;

export interface AgentSkill {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly default?: Value;
  }[];
}

export interface WorkspaceFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

type Awaitable<T> = T | Promise<T>;
