import { extractCode, type AgentAnswer, type AgentEvent, type TaskSignal } from "../../agent/index.js";
import type { JournalEntry } from "../../dispatch/index.js";
import type { Transcript } from "../../model/index.js";
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
  run: RunResult | null = null;
  state: "asking" | "running" | "ended" = "asking";
  endedAt: number | null = null;

  constructor(
    readonly number: number,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
  ) {}
}

export type TaskState =
  "preparing" | "running" | "completed" | "step_limit_reached" | "budget_reached" | "cancelled" | "error";

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
  /** Milliseconds; null until the end. */
  elapsed: number | null = null;
  /** What a model of the user's own said, to be replayed. */
  recording: Transcript | null = null;
  /** Of the agent's task. */
  #taskId: string | null = null;

  constructor(
    readonly id: string,
    readonly task: string,
    /** `recorded model, scripted`, or the name of the model that is asked. */
    readonly modelLabel: string,
    readonly files: readonly { readonly path: string; readonly size: number | null }[] = [],
  ) {}

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

  apply(event: AgentEvent): void {
    this.#taskId ??= event.taskId;
    // What agents do that work as tools of this one is not drawn; their calls are, as calls.
    if (event.taskId !== this.#taskId) return;
    this.version += 1;
    const step = this.#stepOf(event);
    if (step !== undefined) step.version += 1;
    switch (event.type) {
      case "task-started":
        this.state = "running";
        this.waitsFor = "";
        break;
      case "task-resumed":
        this.state = "running";
        this.error = null;
        break;
      case "step-started":
        this.steps.push(new StepView(event.step ?? this.steps.length + 1, event.time));
        break;
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
      case "user-message":
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
        break;
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
