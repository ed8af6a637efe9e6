import type { JournalEntry } from "../../dispatch/index.js";
import type { FinishReason, ModelNotice, ModelToolCall } from "../../model/index.js";
import type { OutputChunk, SignalType, Value } from "../../protocol/index.js";
import type { RunResult } from "../../session/index.js";
import type { BudgetKind } from "../errors.js";
import type { TaskBudget, TaskUsage, TokenUsage } from "../budget/budget.js";
import type { ConversationItem, ConversationStep } from "../conversation/conversation.js";
import type { AnswerSource } from "./finalizer.js";
import type { LearnedSkill, SkillProposal, SkillTrial } from "./learned-skill.js";
import type { ProgramNews } from "./program-news.js";

/**
 * What happens in a task, in the order in which it happens. A page, a log and a
 * test read the same events. `checkpoint` is a reserved type.
 */
export type AgentEvent =
  | TaskStarted
  | TaskResumed
  | StepStarted
  | ModelText
  | ModelReasoning
  | ModelRetry
  | Pruned
  | Notice
  | ModelEnded
  | SignalGiven
  | Question
  | UserMessage
  | Code
  | Call
  | ProgramTold
  | Output
  | ArtifactSaved
  | Answer
  | StepEnded
  | LimitReached
  | TaskFailed
  | SkillAsked
  | SkillProposed
  | SkillTried
  | SkillEnded
  | TaskEnded;

/** What every event has. */
export interface EventBase {
  /**
   * What the event is about. Events about one thing share its id: the pieces of
   * a reply, a step's begin and end, a call's begin and outcome.
   */
  readonly id: string;
  /**
   * What it belongs to: a call to the code, call or reply that made it, code and reply to their step, a step to its task,
   * and the task of an agent that works as a tool to the call of that tool. Null for the task that a person gave.
   */
  readonly parentId: string | null;
  /** Whose event it is: among those of a task are also those of the tasks that were solved in its course. */
  readonly taskId: string;
  /** Counted from 1; null for what concerns the whole task. */
  readonly step: number | null;
  /** Counts the events of the task that a person gave from 0, with those of all tasks in its course. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The first event of every task. */
export interface TaskStarted extends EventBase {
  readonly type: "task-started";
  readonly task: string;
  /** Which kind of agent solves it. */
  readonly agent: AgentName;
  readonly model: { readonly name: string; readonly kind: string };
  readonly maxSteps: number;
  readonly budget: TaskBudget;
  /** The task that this one continues; null when it stands alone. */
  readonly after: string | null;
  /** What was said in the tasks that this one continues. */
  readonly before: readonly ConversationItem[];
}

/** The task goes on after it was stopped, reached a limit, or lost its page. It has its earlier events before it. */
export interface TaskResumed extends EventBase {
  readonly type: "task-resumed";
  readonly model: { readonly name: string; readonly kind: string };
  readonly maxSteps: number;
  readonly budget: TaskBudget;
  /** The last step, where it did not end or was cut short. It is not run again. */
  readonly interrupted: InterruptedStep | null;
  /** Names of the interpreter that the task had made and that are not there any more. */
  readonly gone: readonly string[];
  /** Such names of which it could not be found out whether they are there. */
  readonly unknown: readonly string[];
  /** What the model is told of it as a message of its own; null where it is told with the step, or nothing. */
  readonly told: string | null;
}

/** What is known of the calls of a step that was interrupted. */
export interface InterruptedStep {
  /** Counted from 1. */
  readonly step: number;
  readonly finished: readonly JournalEntry[];
  /** They may have taken effect. */
  readonly unknown: readonly JournalEntry[];
}

/** Which agent solves a task: one that writes code (`code`) or one that calls tools in JSON (`react`). */
export type AgentName = "code" | "react";

/** A step begins; a model call follows. */
export interface StepStarted extends EventBase {
  readonly type: "step-started";
  /** The run by which the journal names the calls of the step; null where it is not known. */
  readonly callsRunId: string | null;
}

/** The next piece of the model's reply. */
export interface ModelText extends EventBase {
  readonly type: "model-text";
  readonly text: string;
}

/** The next piece of what a reasoning model thinks before its reply. */
export interface ModelReasoning extends EventBase {
  readonly type: "model-reasoning";
  readonly text: string;
}

/** The model failed and is asked again. What it said before it failed does not count. */
export interface ModelRetry extends EventBase {
  readonly type: "model-retry";
  /** Counts from 1. */
  readonly attempt: number;
  /** Milliseconds until then. */
  readonly delay: number;
  /** The code of the error, and what it says. */
  readonly code: string;
  readonly message: string;
}

/** The conversation was too long for the model, and was shortened. */
export interface Pruned extends EventBase {
  readonly type: "pruned";
  /** Steps that the model still knows. */
  readonly stepsKept: number;
}

/** The code gave a signal: a doubt, something that it tries, something that it has decided. */
export interface SignalGiven extends EventBase {
  readonly type: "signal";
  readonly signal: TaskSignal;
}

/** The code asks the person something, by `input()`; it comes again with the answer. */
export interface Question extends EventBase {
  readonly type: "question";
  readonly question: string;
  /** Null while it is waited for. */
  readonly answer: string | null;
}

/** The person told the model something while it works. */
export interface UserMessage extends EventBase {
  readonly type: "user-message";
  readonly text: string;
}

/** Something worth knowing that stopped nothing. */
export interface Notice extends EventBase {
  readonly type: "notice";
  readonly notice: AgentNotice;
}

/** What a notice is about, with a stable code. */
export interface AgentNotice {
  readonly code:
    | ModelNotice["code"]
    | "PROMPT_FILE"
    | "TASK_NOT_SAVED"
    | "TOOL_CALLING_MODE"
    | "SESSION_NOT_CLOSED"
    | "ARTIFACT_NOT_SAVED";
  readonly message: string;
}

/** The model's whole reply, thoughts and code. */
export interface ModelEnded extends EventBase {
  readonly type: "model-ended";
  readonly reply: string;
  /** The tool calls that it asks for beside its text, in its order. */
  readonly toolCalls: readonly ModelToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
}

/** The code of the reply, about to be run. */
export interface Code extends EventBase {
  readonly type: "code";
  readonly code: string;
  /** The run that it becomes; the journal's entries name it. */
  readonly runId: string;
  /** Further blocks in the reply, which are not run. */
  readonly ignoredBlocks: number;
}

/** A call that the code, or the model itself, made: it begins while the outcome is `pending`, and comes again with its outcome. */
export interface Call extends EventBase {
  readonly type: "call";
  readonly entry: JournalEntry;
}

/**
 * A program is written by contract, or run, as a tool: what happens there, below the call of that tool. The calls that the
 * program makes are events of the task like others, below it.
 */
export interface ProgramTold extends EventBase {
  readonly type: "program";
  /** Names the program through all its attempts. */
  readonly runId: string;
  readonly news: ProgramNews;
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

/** The code called `final_answer`, or the model answered. */
export interface Answer extends EventBase {
  readonly type: "answer";
  readonly answer: AgentAnswer;
}

/** A step is over, and this is what the next one is told of it. */
export interface StepEnded extends EventBase {
  readonly type: "step-ended";
  /** Null when nothing was run. */
  readonly run: RunResult | null;
  /** What the model is told; null when the task ends with this step. */
  readonly observation: string | null;
  /** The step as the model remembers it; null when its reply did not come to an end. */
  readonly remembered: ConversationStep | null;
  /** What is known of its calls, where it was cut short after a whole reply; absent where it came to its end. */
  readonly interrupted?: InterruptedStep;
  /** What the task has used up to here. */
  readonly usage: TaskUsage;
}

/** The task was ended by a limit. */
export interface LimitReached extends EventBase {
  readonly type: "limit";
  readonly kind: "steps" | BudgetKind;
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

/**
 * The task has its answer, and the model is asked whether what it did is worth a skill; or again, because what it proposed
 * did not pass its check. What it says to that comes as events of no step, below this one.
 */
export interface SkillAsked extends EventBase {
  readonly type: "skill-asked";
  /** Counted from 1. */
  readonly attempt: number;
  /** The question. */
  readonly told: string;
}

/** The model proposes a skill. Nothing of it has run. */
export interface SkillProposed extends EventBase {
  readonly type: "skill-proposed";
  readonly proposal: SkillProposal;
}

/** The proposed skill was checked. */
export interface SkillTried extends EventBase {
  readonly type: "skill-tried";
  /** Null where it did not come to a trial. */
  readonly trial: SkillTrial | null;
  /** What is wrong with it; empty when it passed, and is about to be saved. */
  readonly problems: readonly string[];
}

/** The skill is saved, or it is said why not. */
export interface SkillEnded extends EventBase {
  readonly type: "skill-ended";
  readonly learned: LearnedSkill;
}

/** The last event of every task, however it ended. */
export interface TaskEnded extends EventBase {
  readonly type: "task-ended";
  readonly result: AgentResult;
}

/** How a task ended. `result` never rejects; a failure is a state. TinyCodeAgent calls it `RunResult`. */
export interface AgentResult {
  readonly taskId: string;
  readonly task: string;
  readonly state: "completed" | "step_limit_reached" | "budget_reached" | "cancelled" | "error";
  /** The answer as text; empty where there is none. */
  readonly output: string;
  /** Null where there is none. */
  readonly answer: AgentAnswer | null;
  /** Why it did not end well; null when completed or cancelled, and where a last attempt after the step limit answered. */
  readonly error: Error | null;
  /** The steps that were begun, the last one perhaps in part. */
  readonly steps: readonly AgentStep[];
  /** What the code said of its work, in order. */
  readonly signals: readonly TaskSignal[];
  readonly usage: TaskUsage;
  /** Milliseconds. */
  readonly elapsed: number;
  /** What came of it that the model was asked for a skill; absent where it was not. */
  readonly learned?: LearnedSkill;
}

/** The final answer of a task. */
export interface AgentAnswer {
  /** What was handed in. */
  readonly value: Value;
  /**
   * The value as Python's `str` writes it, cut like an observation. A float without fraction reads as an int: the bridge
   * keeps no difference.
   */
  readonly text: string;
  /** How the code says that it made sure; null where it does not say. */
  readonly verifiedBy: string | null;
  readonly source: AnswerSource;
}

/** A signal and the step that gave it. */
export interface TaskSignal {
  readonly step: number;
  readonly type: SignalType;
  readonly message: string;
}

/** A step that has ended: what the model said, what was run or called, and what was observed. */
export interface AgentStep {
  /** Counted from 1. */
  readonly number: number;
  /** What the model said; only its beginning when it was cut off. */
  readonly reply: string;
  /** What a reasoning model thought before it, where its server tells. */
  readonly reasoning: string;
  /** The tool calls that it asked for beside its text, as it wrote them. */
  readonly toolCalls: readonly ModelToolCall[];
  /** Null when the reply had none. */
  readonly code: string | null;
  readonly run: RunResult | null;
  /** What the model was told; null when it was told nothing more. */
  readonly observation: string | null;
  /** Null when the model did not come to an end. */
  readonly usage: TokenUsage | null;
}

/** An event without what the log adds to it. */
export type EventBody = Unstamped<AgentEvent>;
type Unstamped<E> = E extends AgentEvent ? Omit<E, "taskId" | "sequence" | "time"> : never;
