import {
  CodeAgent,
  ReactAgent,
  replayTask,
  rerunTask,
  type AgentName,
  type AgentRun,
  type CodeAgentOptions,
  type OnQuestion,
  type SavedTask,
} from "../../agent/index.js";
import { openaiModel, recordedModel, recordTranscript, type Model, type Transcript } from "../../model/index.js";
import type { Session } from "../../session/index.js";
import type { ShippedTask } from "../tasks/index.js";
import type { DemoSession } from "./demo-session.js";
import { Observable } from "./observable.js";
import type { Settings } from "./settings.js";
import { limitOptions } from "./task-limits.js";
import { prepareFiles, type FetchFile } from "./task-files.js";
import { TaskView, type TaskOrigin } from "./task-view.js";

/** A line between tasks: that the interpreter is a clean one, for instance. */
export interface TranscriptNote {
  readonly kind: "note";
  readonly id: string;
  readonly text: string;
}
export type TranscriptItem = { readonly kind: "task"; readonly id: string; readonly view: TaskView } | TranscriptNote;

export interface TasksOptions {
  readonly session: DemoSession;
  readonly settings: Settings;
  readonly shipped: readonly ShippedTask[];
  readonly fetchFile: FetchFile;
  /** Answers what a task's code asks. */
  readonly onQuestion: OnQuestion;
}

/** The tasks of this visit, one at a time. */
export class Tasks extends Observable {
  readonly items: TranscriptItem[] = [];
  readonly #options: TasksOptions;
  /** What models of the user's own said in this visit, to be replayed instead of what came with the page. */
  readonly #recordings: Transcript[] = [];
  #stop: AbortController | undefined;
  #current: TaskView | undefined;
  /** What the current task is run by; undefined for one that is replayed. */
  #run: AgentRun | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** The item that was opened last, to be brought into view. */
  opened: string | null = null;

  constructor(options: TasksOptions) {
    super();
    this.#options = options;
  }

  /** The task that runs now. */
  get current(): TaskView | undefined {
    return this.#current;
  }

  get shipped(): readonly ShippedTask[] {
    return this.#options.shipped;
  }

  /** Whether the model of the task that runs now can be told something. */
  get canSay(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Ends when the task has ended, however it did. Refuses to start a second one beside the first.
   *
   * @returns how it went; null when it was refused.
   */
  async run(text: string): Promise<TaskView | null> {
    const task = text.trim();
    if (task === "" || this.#current !== undefined) return null;
    const shipped = this.#shippedFor(task);
    const { kind, agent } = this.#options.settings.current;
    const recorder = kind === "openai" ? recordTranscript(this.#serverModel()) : undefined;
    const view = this.#newView(task, shipped);
    await this.#carryOut(view, shipped, (session, signal) => {
      const model = recorder ?? this.#recordedModel();
      return this.#agent(session, { model }, kind === "openai" ? agent : "code").run(task, { signal });
    });
    if (view.answer !== null) view.recording = recorder?.transcript({ answer: view.answer.text }) ?? null;
    this.changed();
    return view;
  }

  /** Draws a saved task as it was left. Nothing of it is run. */
  async open(saved: SavedTask): Promise<void> {
    const view = this.#savedView(saved, "saved");
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
    const view = this.#newView(saved.task, shipped, `what ${saved.model.name} said then, run again`);
    await this.#carryOut(view, shipped, (session, signal) =>
      rerunTask(saved, (parts) => this.#agent(session, parts, saved.agent), { signal }),
    );
    return view;
  }

  /** Takes a saved task up where it was left. Ends like {@link run}. */
  async goOn(saved: SavedTask): Promise<TaskView | null> {
    if (this.#current !== undefined) return null;
    const view = this.#newView(saved.task, this.#shippedFor(saved.task));
    this.#drop(saved.taskId, ["saved", "run"]);
    await this.#carryOut(view, undefined, (session, signal) =>
      this.#agent(session, { model: this.#model() }, saved.agent).takeUp(saved, { signal }),
    );
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

  /** Replays this recording from now on. */
  useRecording(view: TaskView): void {
    if (view.recording === null) return;
    this.#recordings.push(view.recording);
    this.note(`From now on the recorded model replays what "${view.recording.by}" said to this task.`);
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
    start: (session: Session, signal: AbortSignal) => AgentRun,
  ): Promise<void> {
    await this.#occupy(view, async (signal) => {
      const session = await unlessAborted(this.#open(view), signal);
      if (shipped !== undefined) await this.#prepareFiles(view, { shipped, session, signal });
      const run = start(session, signal);
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
        this.changed();
      });
    await this.#ended;
  }

  async #open(view: TaskView): Promise<Session> {
    view.wait("Waits for Python.");
    this.changed();
    return this.#options.session.open();
  }

  async #prepareFiles(
    view: TaskView,
    { shipped, session, signal }: { shipped: ShippedTask; session: Session; signal: AbortSignal },
  ): Promise<void> {
    if (shipped.files.length > 0) view.wait("Puts the task's files into /workspace.");
    this.changed();
    const { fetchFile } = this.#options;
    view.changedFiles = await unlessAborted(prepareFiles(shipped, session.workspace, { fetchFile }), signal);
  }

  /** @param kind - the recorded model speaks Python alone. */
  #agent(
    session: Session,
    { onQuestion = this.#options.onQuestion, ...parts }: Pick<CodeAgentOptions, "model" | "onQuestion">,
    kind: AgentName,
  ): Pick<CodeAgent, "run" | "takeUp"> {
    const { session: demo, settings } = this.#options;
    const { tasks } = demo;
    const options = {
      session,
      ...parts,
      ...limitOptions(settings.current.limits),
      ...(tasks === undefined ? {} : { tasks }),
    };
    return kind === "code" ? new CodeAgent({ ...options, onQuestion }) : new ReactAgent(options);
  }

  #model(): Model {
    return this.#options.settings.current.kind === "openai" ? this.#serverModel() : this.#recordedModel();
  }

  #serverModel(): Model {
    const { baseURL, apiKey, model } = this.#options.settings.current;
    return openaiModel({ baseURL, apiKey, model });
  }

  #recordedModel(): ReturnType<typeof recordedModel> {
    return recordedModel({ transcripts: this.#transcripts() });
  }

  #newView(task: string, shipped: ShippedTask | undefined, modelLabel = this.modelLabel(task)): TaskView {
    const files = shipped?.files.map(({ path }) => ({ path, size: null })) ?? [];
    return new TaskView({ id: crypto.randomUUID(), task, modelLabel, files });
  }

  #savedView({ task, model, startedAt, problems }: SavedTask, origin: TaskOrigin): TaskView {
    const id = crypto.randomUUID();
    const view = new TaskView({ id, task, modelLabel: model.name, origin, savedFrom: startedAt });
    for (const { message } of problems)
      view.notices.push(`A part of it could not be read and is left out: ${message}.`);
    return view;
  }

  /** Takes drawings of a saved task away, which is drawn anew. */
  #drop(taskId: string, origins: readonly TaskOrigin[]): void {
    const kept = this.items.filter(
      (item) => item.kind === "note" || item.view.taskId !== taskId || !origins.includes(item.view.origin),
    );
    this.items.splice(0, this.items.length, ...kept);
  }

  /** Who answers `task`: the model that is asked, or whose words are repeated. */
  modelLabel(task: string): string {
    const { kind, model } = this.#options.settings.current;
    if (kind === "openai") return model;
    const by = this.#recordedModel().transcriptFor(task)?.by;
    if (by === undefined) return "recorded model";
    return by === "hand" ? "recorded model, scripted" : `recording of ${by}`;
  }

  #transcripts(): Transcript[] {
    return [...this.#options.shipped.map(({ transcript }) => transcript), ...this.#recordings];
  }

  #shippedFor(task: string): ShippedTask | undefined {
    const key = normalize(task);
    return this.#options.shipped.find((shipped) => normalize(shipped.task) === key);
  }
}

function normalize(task: string): string {
  return task.replace(/\s+/g, " ").trim();
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal.addEventListener(
      "abort",
      () => {
        reject(new DOMException("Stopped", "AbortError"));
      },
      { once: true },
    );
    promise.then(resolve, reject);
  });
}
