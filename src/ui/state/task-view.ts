import {
  extractCode,
  type AgentAnswer,
  type AgentEvent,
  type AgentName,
  type SavedTaskState,
  type TaskResumed,
  type TaskSignal,
  type TaskUsage,
} from "../../agent/index.js";
import type { JournalEntry } from "../../dispatch/index.js";
import type { Transcript } from "../../model/index.js";
import type { MemoryReport } from "../../protocol/index.js";
import type { RunResult } from "../../session/index.js";
import { formatCount, formatElapsed } from "./format.js";
import { OutputLog } from "./output-log.js";

/** A step as the page draws it. `version` grows with every change. */
export class StepView {
  version = 0;
  reply = "";
  reasoning = "";
  code: string | null = null;
  ignoredBlocks = 0;
  readonly calls = new Map<string, JournalEntry>();
  readonly output = new OutputLog();
  readonly notices: string[] = [];
  /** What the code asked the person, by the id of the question; the answer is null while it is waited for. */
  readonly questions = new Map<string, { readonly question: string; readonly answer: string | null }>();
  run: RunResult | null = null;
  state: "asking" | "running" | "ended" = "asking";
  endedAt: number | null = null;

  constructor(
    readonly number: number,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
    readonly agent: AgentName = "code",
  ) {}
}

export type TaskState = "preparing" | "running" | SavedTaskState;

/** What a task's events are drawn for: it runs, or what was saved of it is shown, at once or as it came. */
export type TaskOrigin = "run" | "saved" | "replay";

/** What stands in a task, from top to bottom. */
export type TaskPart =
  | { readonly kind: "step"; readonly step: StepView }
  | { readonly kind: "said"; readonly id: string; readonly text: string }
  | { readonly kind: "resumed"; readonly resumed: TaskResumed };

export interface TaskViewOptions {
  readonly id: string;
  readonly task: string;
  /** `recorded model, scripted`, or the name of the model that is asked. */
  readonly modelLabel: string;
  readonly files?: readonly { readonly path: string; readonly size: number | null }[];
  /** Default: `run`. */
  readonly origin?: TaskOrigin;
  /** Milliseconds since 1970, of what was saved. */
  readonly savedFrom?: number | null;
}

/** A task from its text to its end, put together from the agent's events. */
export class TaskView {
  version = 0;
  state: TaskState = "preparing";
  /** What is waited for before the agent starts. */
  waitsFor = "";
  readonly steps: StepView[] = [];
  readonly notices: string[] = [];
  /** Names of the artifacts that were saved, each once. */
  readonly artifacts: string[] = [];
  /** Workspace files that differ from those that the task came with. */
  changedFiles: readonly string[] = [];
  /** What the code said of its work. */
  readonly signals: TaskSignal[] = [];
  answer: AgentAnswer | null = null;
  error: Error | null = null;
  /** What it has used so far; null before anything is known of it. */
  usage: TaskUsage | null = null;
  agent: AgentName = "code";
  maxSteps = 0;
  /** What the agent has noted for itself. */
  memory: MemoryReport | null = null;
  /** Milliseconds; null until the end. */
  elapsed: number | null = null;
  /** What a model of the user's own said, to be replayed. */
  recording: Transcript | null = null;

  /** Under which it is saved; null before it began. */
  taskId: string | null = null;
  /** Steps, and what happened between them. */
  readonly parts: TaskPart[] = [];

  readonly id: string;
  readonly task: string;
  readonly modelLabel: string;
  readonly files: NonNullable<TaskViewOptions["files"]>;
  readonly origin: TaskOrigin;
  readonly savedFrom: number | null;

  constructor({ id, task, modelLabel, files = [], origin = "run", savedFrom = null }: TaskViewOptions) {
    this.id = id;
    this.task = task;
    this.modelLabel = modelLabel;
    this.files = files;
    this.origin = origin;
    this.savedFrom = savedFrom;
  }

  get active(): boolean {
    return this.state === "preparing" || this.state === "running";
  }

  /** Says what it waits for; empty when nothing. */
  wait(text: string): void {
    this.waitsFor = text;
    this.version += 1;
  }

  /** Ends a task that its agent did not end, or never began. */
  end(state: "cancelled" | "error", error: Error | null = null): void {
    this.state = state;
    this.error = error;
    this.waitsFor = "";
    this.version += 1;
  }

  /**
   * Ends the drawing of what was saved as it was left: a task that lost its page has no event that ends it, nor have the
   * calls that it had begun.
   */
  settle(state: TaskState): void {
    this.state = state;
    this.version += 1;
    for (const step of this.steps) {
      if (step.state === "ended") continue;
      step.version += 1;
      step.state = "ended";
      for (const entry of step.calls.values()) {
        if (entry.outcome.kind === "pending") step.calls.set(entry.id, { ...entry, outcome: { kind: "unknown" } });
      }
    }
  }

  apply(event: AgentEvent): void {
    this.taskId ??= event.taskId;
    // What agents do that work as tools of this one is not drawn; their calls are, as calls.
    if (event.taskId !== this.taskId) return;
    this.version += 1;
    const step = this.#stepOf(event);
    if (step !== undefined) step.version += 1;
    switch (event.type) {
      case "task-started":
        this.state = "running";
        this.waitsFor = "";
        this.maxSteps = event.maxSteps;
        this.agent = event.agent;
        break;
      case "task-resumed":
        this.#resume(event);
        break;
      case "step-started": {
        const begun = new StepView(event.step ?? this.steps.length + 1, event.time, this.agent);
        this.steps.push(begun);
        this.parts.push({ kind: "step", step: begun });
        break;
      }
      case "model-text":
        if (step !== undefined) step.reply += event.text;
        break;
      case "model-reasoning":
        if (step !== undefined) step.reasoning += event.text;
        break;
      case "model-retry":
        if (step === undefined) break;
        // What was streamed before the failure is not part of the reply that follows.
        step.reply = step.reasoning = "";
        step.notices.push(`${event.message} It is asked again in ${formatElapsed(event.delay)}.`);
        break;
      case "pruned":
        if (step === undefined) break;
        step.reply = step.reasoning = "";
        step.notices.push(
          `The conversation is too long for the model. It is asked again with the last ${formatCount(event.stepsKept, "step")}.`,
        );
        break;
      case "model-ended":
        if (step !== undefined) step.reply = event.reply;
        break;
      case "signal":
        this.signals.push(event.signal);
        break;
      case "question":
        step?.questions.set(event.id, event);
        break;
      case "user-message":
        this.parts.push({ kind: "said", id: event.id, text: event.text });
        break;
      case "notice":
        (step ?? this).notices.push(event.notice.message);
        break;
      case "code":
        if (step === undefined) break;
        step.code = event.code;
        step.ignoredBlocks = event.ignoredBlocks;
        step.state = "running";
        break;
      case "call":
        step?.calls.set(event.entry.id, event.entry);
        break;
      case "output":
        step?.output.add(event.chunk);
        break;
      case "artifact":
        if (!this.artifacts.includes(event.name)) this.artifacts.push(event.name);
        break;
      case "step-ended":
        if (step === undefined) break;
        step.state = "ended";
        step.endedAt = event.time;
        step.run = event.run;
        this.memory = event.run?.memory ?? this.memory;
        this.usage = event.usage;
        break;
      case "answer":
        this.answer = event.answer;
        break;
      case "limit":
        break;
      case "error":
        this.error = event.error;
        break;
      case "task-ended":
        this.state = event.result.state;
        this.error = event.result.error;
        this.elapsed = event.result.elapsed;
        this.usage = event.result.usage;
        break;
    }
  }

  /** What was unknown of the step that had begun, the journal may know by now. */
  #resume(event: TaskResumed): void {
    this.settle("running");
    this.error = null;
    this.answer = null;
    this.elapsed = null;
    this.maxSteps = event.maxSteps;
    this.parts.push({ kind: "resumed", resumed: event });
    const step = this.steps.find(({ number }) => number === event.interrupted?.step);
    if (step === undefined || event.interrupted === null) return;
    for (const entry of [...event.interrupted.finished, ...event.interrupted.unknown]) {
      step.calls.set(entry.id, entry);
    }
  }

  #stepOf({ step }: AgentEvent): StepView | undefined {
    if (step === null) return undefined;
    const last = this.steps.at(-1);
    return last?.number === step ? last : this.steps.find(({ number }) => number === step);
  }
}

/** A reply as it is drawn while it streams: what comes before its code, and its code so far. */
export function splitReply(reply: string): { thought: string; code: string | null } {
  const text = reply.replace(/^\s*<think(?:ing)?>[^]*?(?:<\/think(?:ing)?>|$)/, "");
  const fence = /^[ \t]*(```+|~~~+)[ \t]*(?:python|py)[23]?[ \t]*$/im.exec(text);
  if (fence === null) {
    // A fence that has only begun is not shown as text for a moment.
    return { thought: text.replace(/\n?[ \t]*`{1,3}\w*$/, "").trim(), code: null };
  }
  const thought = text.slice(0, fence.index).trim();
  const begun = text.slice(fence.index);
  return { thought, code: extractCode(begun)?.code ?? begun.slice(fence[0].length).replace(/^\n/, "") };
}
