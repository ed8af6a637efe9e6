import {
  TaskFold,
  type AgentEvent,
  type AgentName,
  type Attachments,
  type Call,
  type ConversationItem,
  type ModelEnded,
  type ProgramTold,
  type StepStarted,
  type TaskResumed,
} from "../../../agent/index.js";
import type { JournalEntry } from "../../../dispatch/index.js";
import type { Transcript } from "../../../model/index.js";
import type { MemoryReport } from "../../../protocol/index.js";
import { formatCount, formatElapsed } from "../text/format.js";
import { writesFiles, type Batches } from "./batches.js";
import { BatchView } from "./batch-view.js";
import { ProgramView, type AttemptView } from "./program-view.js";
import type { BetweenSteps, ShownTask, TaskOrigin, TaskState } from "./shown-task.js";
import type { CallList, CutShort } from "./call-list.js";
import { StepView } from "./step-view.js";
import { learningAfter, learningHeard, type SkillLearning } from "./skill-learning.js";

/** What stands in a task, from top to bottom. */
export type TaskPart = { readonly kind: "step"; readonly step: TaskStep } | BetweenSteps;

/** Those of a {@link TaskView}. */
export type TaskStep = StepView<TaskView>;
export type TaskProgram = ProgramView<TaskView>;
export type TaskAttempt = AttemptView<TaskView>;
export type TaskCalls = CallList<TaskView, TaskProgram>;

/** Where something stands in a task: in one of its steps, there perhaps in the attempt of a program. */
interface TaskPlace {
  readonly view: TaskView;
  readonly step: TaskStep;
  readonly program: { readonly view: TaskProgram; readonly attempt: TaskAttempt } | null;
  /** Those of the step, or of the attempt. */
  readonly calls: TaskCalls;
}

/** What a task that a person gave is drawn of: its own view, and those of the agents in its course. */
class TaskTree {
  readonly views = new Map<string, TaskView>();
  /** By the ids of their runs. */
  readonly programs = new Map<string, TaskProgram>();
  /** By the ids of calls, and of what makes calls: what belongs below one has its place there. */
  readonly places = new Map<string | null, TaskPlace>();

  constructor(readonly batches: Batches | null) {}
}

/** `below`: of an agent that works as a tool, what it is called there, and where. */
type TaskViewOptions = ShownTask & {
  readonly below?: { readonly name: string; readonly tree: TaskTree; readonly place: TaskPlace };
};

/** A task from its text to its end: what the agent's events come to, and how it is drawn. */
export class TaskView extends TaskFold<TaskStep> {
  version = 0;
  state: TaskState = "preparing";
  /** What is waited for before the agent starts. */
  waitsFor = "";
  readonly notices: string[] = [];
  /** Names of the artifacts that were saved, each once. */
  readonly artifacts: string[] = [];
  /** Workspace files that differ from those that the task came with. */
  changedFiles: readonly string[] = [];
  agent: AgentName = "code";
  /** What the agent has noted for itself. */
  memory: MemoryReport | null = null;
  /** What comes of its work as a skill; null where the model was not asked. */
  learning: SkillLearning | null = null;
  /** What a model of the user's own said, to be replayed: to the task, then to those in its course. */
  recording: readonly Transcript[] | null = null;

  /** Under which it is saved; null before it began. */
  taskId: string | null = null;
  /** Steps, and what happened between them. */
  readonly parts: TaskPart[] = [];
  /** Of one that is drawn from what is saved, whether it runs meanwhile: in another tab, for instance. */
  runsElsewhere = false;
  /** Of an agent that works as a tool, whether the reader sees its steps. */
  isUnfolded: boolean;

  readonly id: string;
  readonly task: string;
  readonly modelLabel: string;
  readonly files: NonNullable<ShownTask["files"]>;
  readonly origin: TaskOrigin;
  readonly savedFrom: number | null;
  readonly attachments: Attachments | null;
  readonly isImported: boolean;
  /** What was said in the tasks that it continues. */
  before: readonly ConversationItem[] = [];
  /** The tool that its agent is; null for the task that a person gave. */
  readonly name: string | null;
  /** The call in whose course it is solved; null for the task that a person gave. */
  readonly place: TaskPlace | null;
  readonly #tree: TaskTree;

  constructor({
    id,
    task,
    modelLabel,
    files = [],
    origin = "run",
    savedFrom = null,
    attachments = null,
    isImported = false,
    batches = null,
    below,
  }: TaskViewOptions) {
    super();
    this.id = id;
    this.task = task;
    this.modelLabel = modelLabel;
    this.files = files;
    this.origin = origin;
    this.isUnfolded = origin !== "saved";
    this.savedFrom = savedFrom;
    this.attachments = attachments;
    this.isImported = isImported;
    this.name = below?.name ?? null;
    this.place = below?.place ?? null;
    this.#tree = below?.tree ?? new TaskTree(batches);
  }

  /** The tasks of the agents that its steps, and programs in them, have called. */
  get below(): TaskView[] {
    return this.steps.flatMap(({ calls }) => {
      const { tasks, programs } = calls.all;
      const ofPrograms = programs.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.calls.all.tasks));
      return [...tasks, ...ofPrograms];
    });
  }

  /** Milliseconds; null until the end. */
  get elapsed(): number | null {
    return this.result?.elapsed ?? null;
  }

  get active(): boolean {
    return this.state === "preparing" || this.state === "running";
  }

  /** Whether it is over and has an answer, which is then what is shown first. */
  get isAnswered(): boolean {
    return !this.active && !this.runsElsewhere && this.answer !== null;
  }

  /** Whether the model has made no step since that was said, nor will: the task is over. */
  isUnread(part: TaskPart): boolean {
    return (
      !this.active &&
      !this.runsElsewhere &&
      !this.parts.slice(this.parts.indexOf(part)).some(({ kind }) => kind === "step")
    );
  }

  /** Shows its steps, and what it is in. */
  unfold(): void {
    this.isUnfolded = true;
    if (this.place === null) return;
    this.place.step.isUnfolded = true;
    if (this.place.program !== null) this.place.program.attempt.isUnfolded = true;
    this.place.view.unfold();
  }

  /** Something about how it is drawn has changed. */
  redraw(): void {
    this.version += 1;
    if (this.place === null) return;
    const { view, step, program } = this.place;
    if (program !== null) program.view.version += 1;
    step.version += 1;
    view.redraw();
  }

  /** Says what it waits for; empty when nothing. */
  wait(text: string): void {
    this.waitsFor = text;
    this.version += 1;
  }

  /** Ends a task that its agent did not end, or never began. */
  end(state: "cancelled" | "error", error: Error | null = null): void {
    this.error = error;
    this.waitsFor = "";
    this.#settle(state, { below: state, why: this.origin === "replay" ? "replay" : "task" });
  }

  /**
   * Ends the drawing of what was saved as it was left: a task that lost its page has no event that ends it, nor have the
   * calls that it had begun.
   */
  settle(state: TaskState): void {
    // Those below do not go on with a task that does.
    this.#settle(state, { below: state === "cancelled" ? "cancelled" : "interrupted", why: "task" });
  }

  #settle(state: TaskState, { below, why }: { readonly below: TaskState; readonly why: CutShort }): void {
    this.state = state;
    this.version += 1;
    for (const step of this.steps) {
      for (const program of step.calls.all.programs) program.settle(why);
      if (step.state === "ended") continue;
      step.version += 1;
      step.state = "ended";
      step.calls.settle(why);
    }
    for (const view of this.below) if (view.active) view.#settle(below, { below, why });
  }

  /** Takes the next event of the task, or of one in its course. */
  apply(event: AgentEvent): void {
    if (this.taskId === null) {
      this.taskId = event.taskId;
      this.#tree.views.set(event.taskId, this);
    }
    const view = this.#tree.views.get(event.taskId) ?? this.#openBelow(event);
    if (view !== undefined) view.#take(event);
  }

  /** An agent begins to work as a tool. */
  #openBelow(event: AgentEvent): TaskView | undefined {
    // What is told of a task whose beginning is not known has no place.
    const place = this.#tree.places.get(event.parentId);
    if (event.type !== "task-started" || place === undefined) return undefined;
    const { taskId, parentId, task, model, agent } = event;
    const name = place.calls.entries.get(parentId ?? "")?.name ?? agent;
    const view = new TaskView({
      id: taskId,
      task,
      modelLabel: model.kind === "recorded" ? "recorded model" : model.name,
      origin: this.origin,
      isImported: this.isImported,
      below: { name, tree: this.#tree, place },
    });
    view.taskId = taskId;
    this.#tree.views.set(taskId, view);
    place.calls.contentsOf(parentId ?? "").tasks.push(view);
    return view;
  }

  protected override begin(number: number, { time }: StepStarted): TaskStep {
    return new StepView(number, time, this);
  }

  #take(event: AgentEvent): void {
    this.redraw();
    const step = this.fold(event);
    if (step !== undefined) {
      step.version += 1;
      const { places } = this.#tree;
      if (!places.has(event.id)) places.set(event.id, { view: this, step, program: null, calls: step.calls });
    }
    switch (event.type) {
      case "task-started":
        this.state = "running";
        this.waitsFor = "";
        this.agent = event.agent;
        this.before = event.before;
        break;
      case "task-resumed":
        this.#resume(event);
        break;
      case "step-started":
        if (step !== undefined) this.parts.push({ kind: "step", step });
        break;
      case "model-retry":
        if (step !== undefined) noteRetry(step, event.message, `It is asked again in ${formatElapsed(event.delay)}.`);
        break;
      case "pruned":
        step?.notices.push(
          `The conversation is too long for the model. It is asked again with the last ${formatCount(event.stepsKept, "step")}.`,
        );
        break;
      case "model-ended":
        if (step === undefined) this.#hearOfSkill(event);
        break;
      case "question":
        step?.questions.set(event.id, event);
        // Nobody answers what they do not see.
        if (event.answer === null && this.origin === "run") this.unfold();
        break;
      case "user-message":
        this.parts.push({ kind: "said", id: event.id, text: event.text });
        break;
      case "notice":
        (step ?? this).notices.push(event.notice.message);
        break;
      case "code":
        if (step === undefined) break;
        step.ignoredBlocks = event.ignoredBlocks;
        step.state = "running";
        break;
      case "call":
        this.#takeCall(event);
        break;
      case "program":
        this.#takeProgram(event);
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
        this.memory = event.run?.memory ?? this.memory;
        break;
      case "skill-asked":
      case "skill-proposed":
      case "skill-tried":
      case "skill-ended":
        this.learning = learningAfter(this.learning, event);
        break;
      case "task-ended":
        this.state = event.result.state;
        if (this.error !== null) for (const each of this.steps) forgetRetries(each, this.error.message);
        break;
      default:
        break;
    }
  }

  /** What the model says of a skill may be said again where the task is run again: a reader sees it whole. */
  #hearOfSkill({ reply }: ModelEnded): void {
    if (!this.isImported) return;
    if (this.name === null && this.learning !== null) this.learning = learningHeard(this.learning, reply);
    // The card of an agent that is a tool has no place of its own for it.
    else this.notices.push(`Asked about a skill, the model said: ${reply}`);
  }

  /** What was unknown of the step that had begun, the journal may know by now. */
  #resume(event: TaskResumed): void {
    this.settle("running");
    this.answer = null;
    this.parts.push({ kind: "resumed", resumed: event });
    const { step: number, finished = [], unknown = [] } = event.interrupted ?? {};
    const step = this.steps.find((one) => one.number === number);
    for (const entry of [...finished, ...unknown]) step?.calls.entries.set(entry.id, entry);
  }

  /** A call of the step, or of a program in it. */
  #takeCall({ id, parentId, entry }: Call): void {
    const place = this.#tree.places.get(parentId) ?? this.#tree.places.get(id);
    if (place === undefined) return;
    this.#tree.places.set(id, place);
    if (place.program !== null) place.program.view.version += 1;
    place.calls.entries.set(entry.id, entry);
    if (writesFiles(entry)) this.#takeBatch(place, entry);
  }

  /** Files are written in the course of a call. */
  #takeBatch({ calls }: TaskPlace, entry: JournalEntry): void {
    const { batches } = calls.contentsOf(entry.id);
    // What a file says of a call is not to be taken for one of the reader's own.
    const known = this.isImported ? null : this.#tree.batches;
    const batch = batches[0] ?? known?.of(entry.id) ?? new BatchView(null);
    if (batches.length === 0) batches.push(batch);
    batch.take(entry);
  }

  #takeProgram({ id, parentId, runId, news }: ProgramTold): void {
    let program = this.#tree.programs.get(runId);
    if (program === undefined) {
      const above = this.#tree.places.get(parentId);
      if (above === undefined) return;
      program = new ProgramView(runId, this.isImported);
      this.#tree.programs.set(runId, program);
      above.calls.contentsOf(parentId ?? "").programs.push(program);
    }
    program.version += 1;
    program.apply(news);
    const attempt = program.latest;
    const step = this.#tree.places.get(id)?.step;
    // Its calls are told as below its run.
    if (news.kind === "running" && attempt !== undefined && step !== undefined) {
      this.#tree.places.set(id, { view: this, step, program: { view: program, attempt }, calls: attempt.calls });
    }
  }
}

/** Says that a model that failed is asked again, in place of what was said of the same failure before. */
function noteRetry(step: TaskStep, failure: string, again: string): void {
  forgetRetries(step, failure);
  step.notices.push(`${failure} ${again}`);
}

/** Takes away what was said of a failure: the end of the task says it. */
function forgetRetries({ notices }: TaskStep, failure: string): void {
  notices.splice(0, notices.length, ...notices.filter((notice) => !notice.startsWith(`${failure} `)));
}
