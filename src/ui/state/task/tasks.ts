import { replayTask, rerunTask, type AgentRun, type CodeAgent, type SavedTask } from "../../../agent/index.js";
import { recordTranscript, taskKey, type Model } from "../../../model/index.js";
import { unlessAborted } from "../../../protocol/index.js";
import type { Session } from "../../../session/index.js";
import type { ShippedTask } from "../../tasks/index.js";
import type { DemoSession } from "../session/demo-session.js";
import type { Models } from "../session/models.js";
import { Observable } from "../text/observable.js";
import type { OnAgentQuestion } from "../questions/questions.js";
import { requireKey, type Settings } from "../session/settings.js";
import { Batches } from "./batches.js";
import type { FileView } from "./given-files.js";
import { recordingOf } from "./recording.js";
import { taskAgent, type TaskAgentOptions } from "./task-agent.js";
import { TaskTools } from "./task-tools.js";
import { prepareFiles, type FetchFile } from "./task-files.js";
import type { TaskOrigin } from "./shown-task.js";
import { TaskView } from "./task-view.js";
import type { TranscriptItem } from "./transcript-items.js";

/** What is said of one task's agent. */
type AgentParts = Pick<TaskAgentOptions, "model" | "learnsSkills" | "kind" | "isCoding"> &
  Partial<Pick<TaskAgentOptions, "onQuestion">>;

export interface TasksOptions {
  readonly session: DemoSession;
  readonly settings: Settings;
  readonly models: Models;
  readonly shipped: readonly ShippedTask[];
  readonly fetchFile: FetchFile;
  /** Answers what the code of a task asks, and that of agents in every session. */
  readonly onQuestion: OnAgentQuestion;
  /** Whether a saved task came from a file. */
  readonly isImported: (taskId: string) => boolean;
  /** Says something to those who listen instead of looking. */
  readonly announce: (text: string) => void;
}

/** The tasks of this visit, one at a time. */
export class Tasks extends Observable {
  readonly items: TranscriptItem[] = [];
  /** The files that calls of tasks have had written. */
  readonly batches: Batches;
  readonly #options: TasksOptions;
  #stop: AbortController | undefined;
  #current: TaskView | undefined;
  /** What the current task is run by; undefined for one that is replayed. */
  #run: AgentRun | undefined;
  /** Who answers agents that work as tools of the current task; undefined for the model that is chosen. */
  #modelBelow: Model | undefined;
  readonly #tools: TaskTools;
  #ended: Promise<void> = Promise.resolve();
  /** The item that was opened last, to be brought into view. */
  opened: string | null = null;

  constructor(options: TasksOptions) {
    super();
    this.#options = options;
    const { session, settings, models, onQuestion, announce } = options;
    this.batches = new Batches({ session, announce });
    this.#tools = new TaskTools({
      session,
      settings,
      onQuestion,
      model: () => this.#modelBelow ?? models.chosen(),
      writers: () =>
        models.writers((event) => {
          this.batches.hear(event);
        }),
    });
  }

  /** Whether a tool is one of those with which tasks are shared out. */
  offers(tool: string): boolean {
    return this.#tools.names.includes(tool);
  }

  /** The task that runs now. */
  get current(): TaskView | undefined {
    return this.#current;
  }

  /** The id of the task that runs now; null where none does, or one is only replayed. */
  get runningId(): string | null {
    return this.#run?.taskId ?? null;
  }

  get shipped(): readonly ShippedTask[] {
    return this.#options.shipped;
  }

  /** Whether the model of the task that runs now can be told something. */
  get canSay(): boolean {
    return this.#run !== undefined;
  }

  /** Whether an event is one of the task that runs now, and so has its place in what is drawn of it. */
  tells(eventId: string): boolean {
    return this.#run?.events.findLast(({ id }) => id === eventId) !== undefined;
  }

  /**
   * Ends when the task has ended, however it did. Refuses to start a second one beside the first.
   *
   * @param after - whose conversation it continues, with the agent of then. Default: it stands alone.
   * @returns how it went; null when it was refused.
   */
  async run(text: string, after?: SavedTask): Promise<TaskView | null> {
    const task = text.trim();
    if (task === "" || this.#current !== undefined) return null;
    const shipped = this.#shippedFor(task);
    const { models, settings } = this.#options;
    const agent = after?.agent ?? settings.current.agent;
    const recorder = models.isOwn ? recordTranscript(models.chosen()) : undefined;
    const view = this.#newView(task, shipped);
    await this.#carryOut(view, shipped, async (session, signal) => {
      requireKey(settings.current);
      const model = recorder ?? models.chosen();
      this.#modelBelow = model;
      const options = { signal, ...(after === undefined ? {} : { after }) };
      const isRecorded = recorder === undefined;
      const continues = after !== undefined && (await this.#wasCoding(session, after));
      const isCoding = isRecorded ? shipped?.isCoding === true : settings.current.worksOnCode || continues;
      return this.#agent(session, { model, kind: isRecorded ? "code" : agent, isCoding }).run(task, options);
    });
    if (view.answer !== null && recorder !== undefined)
      view.recording = recordingOf(recorder, { task, answer: view.answer.text });
    this.changed();
    return view;
  }

  /** Whether there is a model that can go on with a task, or follow up on one. The recorded one cannot. */
  get modelCanGoOn(): boolean {
    return this.#options.models.isOwn;
  }

  /** Whether the model that is chosen has an answer to `task`, as far as can be known beforehand. */
  knows(task: string): boolean {
    return this.#options.models.knows(task);
  }

  /** Who answers `task`: the model that is asked, or whose words are repeated. */
  modelLabel(task: string): string {
    return this.#options.models.labelFor(task);
  }

  /** Draws a saved task as it was left, or as far as one that still runs has come. Nothing of it is run. */
  async open(saved: SavedTask, { runsElsewhere = false } = {}): Promise<void> {
    const view = this.#savedView(saved, "saved");
    view.runsElsewhere = runsElsewhere;
    for await (const event of replayTask(saved, { speed: Infinity })) view.apply(event);
    if (view.active) view.settle(saved.state);
    this.#drop(saved.taskId, ["saved"]);
    this.opened = view.id;
    this.items.push({ kind: "task", id: view.id, view });
    this.changed();
  }

  /** Draws a saved task as it came, with its pauses. Nothing of it is run. Ends with it, or when it is stopped. */
  async replay(saved: SavedTask): Promise<TaskView | null> {
    if (this.#current !== undefined) return null;
    const view = this.#savedView(saved, "replay");
    await this.#occupy(view, async (signal) => {
      for await (const event of replayTask(saved, { signal })) {
        view.apply(event);
        this.changed();
      }
      if (signal.aborted) view.end("cancelled");
      else if (view.active) view.settle(saved.state);
    });
    return view;
  }

  /** Has the words of then set real code and tools going. Ends like {@link run}. */
  async rerun(saved: SavedTask): Promise<TaskView | null> {
    if (this.#current !== undefined) return null;
    const shipped = this.#shippedFor(saved.task);
    const view = this.#newView(saved.task, shipped, {
      modelLabel: `what ${saved.model.name} said then, run again`,
    });
    await this.#carryOut(view, shipped, async (session, signal) => {
      const isCoding = shipped?.isCoding === true || (await this.#wasCoding(session, saved));
      return rerunTask(
        saved,
        ({ model, onQuestion, modelBelow }) => {
          this.#modelBelow = modelBelow(this.#options.models.chosen());
          const parts = { model, onQuestion, learnsSkills: hasLearned(saved) };
          return this.#agent(session, { ...parts, kind: saved.agent, isCoding });
        },
        { signal },
      );
    });
    return view;
  }

  /** Takes a saved task up where it was left. Ends like {@link run}. */
  async goOn(saved: SavedTask): Promise<TaskView | null> {
    if (this.#current !== undefined) return null;
    const isImported = this.#options.isImported(saved.taskId);
    const view = this.#newView(saved.task, this.#shippedFor(saved.task), { isImported });
    this.#drop(saved.taskId, ["saved", "run"]);
    await this.#carryOut(view, undefined, async (session, signal) => {
      requireKey(this.#options.settings.current);
      const isCoding = await this.#wasCoding(session, saved);
      const parts = { model: this.#options.models.chosen(), kind: saved.agent, isCoding };
      return this.#agent(session, parts).takeUp(saved, { signal });
    });
    return view;
  }

  /** Tells the model something before its next step. @throws {TaskEndedError} */
  say(text: string): void {
    this.#run?.say(text);
  }

  /** Stops the task that runs now. What it did until then stays. */
  stop(): void {
    this.#stop?.abort();
  }

  /** Stops, and waits until nothing runs any more. */
  async stopAndWait(): Promise<void> {
    this.stop();
    await this.#ended;
  }

  note(text: string): void {
    this.items.push({ kind: "note", id: crypto.randomUUID(), text });
    this.changed();
  }

  /** Shows a file, in place of an earlier one of its path. */
  showFile(file: FileView): void {
    this.#dropFiles((each) => each.path === file.path);
    this.items.push({ kind: "file", id: crypto.randomUUID(), file });
    this.changed();
  }

  /** The file is in the workspace now. */
  placeFile(file: FileView): void {
    file.isThere = true;
    this.changed();
  }

  hideFile(file: FileView): void {
    this.#dropFiles((each) => each === file);
    this.changed();
  }

  #dropFiles(goes: (file: FileView) => boolean): void {
    const kept = this.items.filter((item) => item.kind !== "file" || !goes(item.file));
    this.items.splice(0, this.items.length, ...kept);
  }

  /** Replays this recording from now on. */
  useRecording(view: TaskView): void {
    if (view.recording === null) return;
    const [first] = view.recording;
    this.#options.models.replay(view.recording);
    this.note(`From now on the recorded model replays what "${first?.by ?? ""}" said to this task.`);
  }

  /** Puts the files that came with a task back as they were. */
  async restoreFiles(view: TaskView): Promise<void> {
    const shipped = this.#shippedFor(view.task);
    if (shipped === undefined) return;
    const session = await this.#options.session.open();
    await prepareFiles(shipped, session.workspace, { fetchFile: this.#options.fetchFile, replace: true });
    view.changedFiles = [];
    view.version += 1;
    this.changed();
  }

  async #carryOut(
    view: TaskView,
    shipped: ShippedTask | undefined,
    start: (session: Session, signal: AbortSignal) => Promise<AgentRun>,
  ): Promise<void> {
    await this.#occupy(view, async (signal) => {
      const session = await unlessAborted(this.#open(view), signal);
      if (shipped !== undefined) await this.#prepareFiles(view, { shipped, session, signal });
      const run = await start(session, signal);
      this.#run = run;
      for await (const event of run) {
        view.apply(event);
        this.changed();
      }
      // It is let go of, and saved, a moment after its last event.
      await run.result;
    });
  }

  /** Draws a task while something goes on in it that can be stopped. */
  async #occupy(view: TaskView, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    this.#current = view;
    this.#stop = stop;
    this.items.push({ kind: "task", id: view.id, view });
    this.changed();
    this.#ended = work(stop.signal)
      .catch((error: unknown) => {
        if (stop.signal.aborted) view.end("cancelled");
        else view.end("error", error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        this.#current = undefined;
        this.#stop = undefined;
        this.#run = undefined;
        this.#modelBelow = undefined;
        this.changed();
      });
    await this.#ended;
  }

  async #open(view: TaskView): Promise<Session> {
    view.wait("Waits for Python.");
    this.changed();
    const session = await this.#options.session.open();
    await this.#tools.settled;
    return session;
  }

  async #prepareFiles(
    view: TaskView,
    { shipped, session, signal }: { shipped: ShippedTask; session: Session; signal: AbortSignal },
  ): Promise<void> {
    if (shipped.files.length > 0) view.wait("Puts the task's files into /workspace.");
    this.changed();
    const { fetchFile } = this.#options;
    // A task that mends files finds them as they came, and not as it left them; those of the reader stay.
    const options = { fetchFile, replacesWorkOfCode: shipped.isCoding };
    view.changedFiles = await unlessAborted(prepareFiles(shipped, session.workspace, options), signal);
  }

  #agent(session: Session, parts: AgentParts): Pick<CodeAgent, "run" | "takeUp"> {
    const { session: demo, settings, onQuestion } = this.#options;
    const { tasks } = demo;
    const kept = tasks === undefined ? {} : { tasks };
    return taskAgent({ session, settings: settings.current, onQuestion, ...kept, ...parts });
  }

  /** Whether a task was one of an agent for code: what it changed is kept. */
  async #wasCoding(session: Session, { taskId }: Pick<SavedTask, "taskId">): Promise<boolean> {
    return (await session.workspace.changes(taskId)) !== undefined;
  }

  #newView(
    task: string,
    shipped: ShippedTask | undefined,
    {
      modelLabel = this.modelLabel(task),
      isImported = false,
    }: { readonly modelLabel?: string; readonly isImported?: boolean } = {},
  ): TaskView {
    const files = shipped?.files.map(({ path }) => ({ path, size: null })) ?? [];
    return new TaskView({ id: crypto.randomUUID(), task, modelLabel, files, isImported, batches: this.batches });
  }

  #savedView({ taskId, task, model, startedAt, attachments, problems }: SavedTask, origin: TaskOrigin): TaskView {
    const view = new TaskView({
      id: crypto.randomUUID(),
      task,
      modelLabel: model.name,
      origin,
      savedFrom: startedAt,
      attachments,
      isImported: this.#options.isImported(taskId),
      batches: this.batches,
    });
    for (const { message } of problems)
      view.notices.push(`A part of it could not be read and is left out: ${message}.`);
    return view;
  }

  /** Takes drawings of a saved task away, which is drawn anew. */
  #drop(taskId: string, origins: readonly TaskOrigin[]): void {
    const kept = this.items.filter(
      (item) => item.kind !== "task" || item.view.taskId !== taskId || !origins.includes(item.view.origin),
    );
    this.items.splice(0, this.items.length, ...kept);
  }

  #shippedFor(task: string): ShippedTask | undefined {
    const key = taskKey(task);
    return this.#options.shipped.find((shipped) => taskKey(shipped.task) === key);
  }
}

function hasLearned({ events, taskId }: SavedTask): boolean {
  return events.some((event) => event.type === "skill-asked" && event.taskId === taskId);
}
