import type { JournalEntry } from "../dispatch/index.js";
import type { FinishReason, ModelNotice, ModelUsage } from "../model/index.js";
import type { OutputChunk, Value } from "../protocol/index.js";
import type { RunResult } from "../session/index.js";

/**
 * What happens in a task, in the order in which it happens. A page, a log and a
 * test read the same events. `signal` and `checkpoint` are reserved types.
 */
export type AgentEvent =
  | TaskStarted
  | StepStarted
  | ModelText
  | Notice
  | ModelEnded
  | Code
  | Call
  | Output
  | ArtifactSaved
  | Answer
  | StepEnded
  | LimitReached
  | TaskFailed
  | TaskEnded;

interface EventBase {
  /**
   * What the event is about. Events about one thing share its id: the pieces of
   * a reply, a step's begin and end, a call's begin and outcome.
   */
  readonly id: string;
  /** What it belongs to: a call to the code or call that made it, code and reply to their step, a step to its task. */
  readonly parentId: string | null;
  readonly taskId: string;
  /** Counted from 1; null for what concerns the whole task. */
  readonly step: number | null;
  /** Counts the events of the task from 0. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface TaskStarted extends EventBase {
  readonly type: "task-started";
  readonly task: string;
  readonly model: { readonly name: string; readonly kind: string };
  readonly maxSteps: number;
}

export interface StepStarted extends EventBase {
  readonly type: "step-started";
}

/** The next piece of the model's reply. */
export interface ModelText extends EventBase {
  readonly type: "model-text";
  readonly text: string;
}

/** Something worth knowing that stopped nothing. */
export interface Notice extends EventBase {
  readonly type: "notice";
  readonly notice: ModelNotice;
}

/** The model's whole reply, thoughts and code. */
export interface ModelEnded extends EventBase {
  readonly type: "model-ended";
  readonly reply: string;
  readonly finishReason: FinishReason;
  /** Null when the server does not count. */
  readonly usage: ModelUsage | null;
}

/** The code of the reply, about to be run. */
export interface Code extends EventBase {
  readonly type: "code";
  readonly code: string;
  /** Further blocks in the reply, which are not run. */
  readonly ignoredBlocks: number;
}

/** A call that the code made: it begins while the outcome is `pending`, and comes again with its outcome. */
export interface Call extends EventBase {
  readonly type: "call";
  readonly entry: JournalEntry;
}

/** What the code printed or showed. */
export interface Output extends EventBase {
  readonly type: "output";
  readonly chunk: OutputChunk;
}

/** The code saved an artifact. */
export interface ArtifactSaved extends EventBase {
  readonly type: "artifact";
  readonly name: string;
}

/** The code called `final_answer`. */
export interface Answer extends EventBase {
  readonly type: "answer";
  readonly answer: AgentAnswer;
}

export interface StepEnded extends EventBase {
  readonly type: "step-ended";
  /** Null when nothing was run. */
  readonly run: RunResult | null;
  /** What the model is told; null when the task ends with this step. */
  readonly observation: string | null;
}

/** The task was ended by a limit. */
export interface LimitReached extends EventBase {
  readonly type: "limit";
  readonly kind: "steps";
  readonly limit: number;
  readonly message: string;
}

/** The task cannot go on. What was done until then is kept. */
export interface TaskFailed extends EventBase {
  readonly type: "error";
  readonly name: string;
  /** Stable; `INTERNAL` for an error that is not one of ours. */
  readonly code: string;
  readonly message: string;
  /** The error itself, with the fields of its class. */
  readonly error: Error;
}

export interface TaskEnded extends EventBase {
  readonly type: "task-ended";
  readonly result: AgentResult;
}

/** How a task ended. `result` never rejects; a failure is a state. */
export interface AgentResult {
  readonly taskId: string;
  readonly task: string;
  readonly state: "completed" | "step_limit_reached" | "cancelled" | "error";
  /** What the code handed to `final_answer`; null in every other state than `completed`. */
  readonly answer: AgentAnswer | null;
  /** Why there is no answer; null when completed or cancelled. */
  readonly error: Error | null;
  /** The steps that were begun, the last one perhaps in part. */
  readonly steps: readonly AgentStep[];
  /** Milliseconds. */
  readonly elapsed: number;
}

export interface AgentAnswer {
  /** What the code computed. */
  readonly value: Value;
  /** The value as Python's `str` writes it, but a float without fraction reads as an int: the bridge keeps no difference. */
  readonly text: string;
}

export interface AgentStep {
  /** Counted from 1. */
  readonly number: number;
  /** What the model said; only its beginning when it was cut off. */
  readonly reply: string;
  /** Null when the reply had none. */
  readonly code: string | null;
  readonly run: RunResult | null;
  /** What the model was told; null when it was told nothing more. */
  readonly observation: string | null;
  readonly usage: ModelUsage | null;
}

/** An event without what the log adds to it. */
export type EventBody = Unstamped<AgentEvent>;
type Unstamped<E> = E extends AgentEvent ? Omit<E, "taskId" | "sequence" | "time"> : never;
