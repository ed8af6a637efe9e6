import type { JournalEntry, Policy } from "../dispatch/index.js";
import type { OutputChunk, RunHelpers, Value } from "../protocol/index.js";
import type {
  ClientCallsOptions,
  ObserveTool,
  RunOptions,
  RunResult,
  TrialOptions,
  TrialSession,
} from "../session/index.js";
import type { NewSkill, Skill } from "../skills/index.js";
import type { CallingTask, Tool, ToolScope } from "../tools/index.js";

/** Where calls are noted; the journal of a session is one. */
export interface CallJournal {
  list(options?: { readonly limit?: number }): Promise<readonly JournalEntry[]>;
}

/** What an agent needs of a session. `Session` has it all; a session elsewhere may too. */
export interface AgentSession {
  readonly tools: {
    list(): Awaitable<readonly Tool[]>;
    /** Resolves when what `list` tells is whole: servers may still be connecting. */
    settled?(): Promise<void> | undefined;
  };
  readonly skills: { list(): Awaitable<{ readonly skills: readonly AgentSkill[] }> };
  readonly workspace: { list(): Awaitable<readonly WorkspaceFile[]> };
  /** How to work in this session, for the end of the prompt, before the agent's `systemSuffix`. */
  readonly instructions?: string;
  /** Modules that code may import, where a list says so: what the model is told. */
  readonly imports?: readonly string[] | undefined;
  /** Where its calls are noted: what a task that is taken up again is told by. */
  readonly journal?: CallJournal;
  /** Has skills saved that the agent learns. Needed by an agent that learns some. */
  client?(options: { readonly caller: "agent" }): Pick<ToolClient, "openCalls">;
  /** Opens a sealed session in which a skill is tried. Needed by an agent that learns some. */
  openTrial?(options: TrialOptions): Promise<TrialSession>;
  /**
   * Called at the end of a task, however it ended, to save what belongs to it.
   *
   * @returns the names of the artifacts, which become events of the task.
   */
  finish?(): Promise<readonly string[]>;
  /** Runs code after the runs before it. A run that fails resolves too; a rejection ends the task. */
  run(code: string, options: AgentRunOptions): Promise<RunResult>;
}

/** A session that an agent opens for one task. */
export interface OwnedSession extends AgentSession {
  close(): Promise<void>;
}

/** What an agent that calls tools itself needs of a session. `Session` has it all, and so has a session inside another one. */
export interface ToolSession {
  /** As {@link AgentSession.instructions}. */
  readonly instructions?: string;
  readonly tools: {
    /** Resolves when what is listed is whole: servers may still be connecting. */
    settled?(): Promise<void> | undefined;
  };
  /** Where its calls are noted: what a task that is taken up again is told by. */
  readonly journal?: CallJournal;
  /** As {@link AgentSession.finish}. */
  finish?(): Promise<readonly string[]>;
  /** The session as an agent sees it that runs no code. */
  client(options: { readonly caller: "agent"; readonly scope?: ToolScope }): ToolClient;
  /** Opens a sealed session in which a skill is tried. Needed by an agent that learns some. */
  openTrial?(options: TrialOptions): Promise<TrialSession>;
}

/** A session that such an agent opens for one task. */
export interface OwnedToolSession extends ToolSession {
  close(): Promise<void>;
}

/** The tools of a session for an agent that calls them itself. */
export interface ToolClient {
  listTools(): readonly Tool[];
  /** Begins the calls of one task. */
  openCalls(options: TaskCallsOptions): ToolCalls;
}

/** What is said of the calls of one task. Only a model that sees is shown pictures. */
export type TaskCallsOptions = Required<Omit<ClientCallsOptions, "onPicture">> & Pick<ClientCallsOptions, "onPicture">;

/** The calls of one task, which belong together: what a person wants remembered for the run is remembered until `close`. */
export interface ToolCalls {
  /** Whether the session is closed: no call is made any more, and the next rejection ends the task. */
  readonly sessionIsClosed: boolean;
  /** Calls a tool: `weather`, `github.get_repo`. A rejection is what the model is told, while the session is open. */
  call(
    name: string,
    args: Readonly<Record<string, Value>>,
    options: { readonly signal: AbortSignal; readonly task: CallingTask },
  ): Promise<Value>;
  /** Saves a skill that the agent has learned. Absent where none can be saved. */
  createSkill?(skill: Pick<NewSkill, "name" | "source">, options: SkillCallOptions): Promise<Pick<Skill, "version">>;
  /** By which the journal names them. */
  readonly runId: string;
  close(): void;
}

/** How a skill is saved that an agent has learned. */
export interface SkillCallOptions {
  readonly signal: AbortSignal;
  readonly task: CallingTask;
  /** What the person who is asked is told beside its source. */
  readonly notes: readonly string[];
}

/**
 * What an agent says of a run of its code: the id under which the journal has its calls, its helpers and limits, and
 * its task.
 */
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
  readonly onInput?: NonNullable<RunOptions["onInput"]>;
  /** Interrupts this run, also while it waits for its turn. */
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: OutputChunk) => void;
  /** Told twice of a call: when it begins, and with its outcome. */
  readonly onCall: (entry: JournalEntry) => void;
  /** Hears each call of a tool, with its whole outcome: what an agent learns skills by. */
  readonly onTool?: ObserveTool;
}

/** How code is checked before it is run; with `types`, a type checker is asked as well. */
export type AgentCheck = NonNullable<RunOptions["check"]>;

/** A skill as an agent is told of it. */
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

/** A file as an agent is told of it; `size` in bytes. */
export interface WorkspaceFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

type Awaitable<T> = T | Promise<T>;
