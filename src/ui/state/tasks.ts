import { CodeAgent } from "../../agent/index.js";
import { openaiModel, recordedModel, recordTranscript, type Transcript } from "../../model/index.js";
import type { Session } from "../../session/index.js";
import type { ShippedTask } from "../tasks/index.js";
import type { DemoSession } from "./demo-session.js";
import { Observable } from "./observable.js";
import type { Settings } from "./settings.js";
import { prepareFiles, type FetchFile } from "./task-files.js";
import { TaskView } from "./task-view.js";

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
}

/** The tasks of this visit, one at a time. */
export class Tasks extends Observable {
  readonly items: TranscriptItem[] = [];
  readonly #options: TasksOptions;
  /** What models of the user's own said in this visit, to be replayed instead of what came with the page. */
  readonly #recordings: Transcript[] = [];
  #stop: AbortController | undefined;
  #current: TaskView | undefined;
  #ended: Promise<void> = Promise.resolve();

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

  /** Ends when the task has ended, however it did. Refuses to start a second one beside the first. */
  async run(text: string): Promise<void> {
    const task = text.trim();
    if (task === "" || this.#current !== undefined) return;
    const shipped = this.#shippedFor(task);
    const view = this.#newView(task, shipped);
    const stop = new AbortController();
    this.#current = view;
    this.#stop = stop;
    this.items.push({ kind: "task", id: view.id, view });
    this.changed();
    this.#ended = this.#carryOut(view, { shipped, signal: stop.signal });
    await this.#ended;
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
    { shipped, signal }: { shipped: ShippedTask | undefined; signal: AbortSignal },
  ): Promise<void> {
    try {
      const session = await unlessAborted(this.#open(view), signal);
      if (shipped !== undefined) await this.#prepareFiles(view, { shipped, session, signal });
      await this.#runAgent(view, { session, signal });
    } catch (error) {
      if (signal.aborted) view.end("cancelled");
      else view.end("error", error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#current = undefined;
      this.#stop = undefined;
      this.changed();
    }
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

  async #runAgent(view: TaskView, { session, signal }: { session: Session; signal: AbortSignal }): Promise<void> {
    const { kind, baseURL, apiKey, model: name } = this.#options.settings.current;
    const recorder = kind === "openai" ? recordTranscript(openaiModel({ baseURL, apiKey, model: name })) : undefined;
    const model = recorder ?? recordedModel({ transcripts: this.#transcripts() });
    const run = new CodeAgent({ session, model }).run(view.task, { signal });
    for await (const event of run) {
      view.apply(event);
      this.changed();
    }
    if (view.answer !== null) view.recording = recorder?.transcript({ answer: view.answer.text }) ?? null;
  }

  #newView(task: string, shipped: ShippedTask | undefined): TaskView {
    const files = shipped?.files.map(({ path }) => ({ path, size: null })) ?? [];
    return new TaskView(crypto.randomUUID(), task, this.modelLabel(task), files);
  }

  /** Who answers `task`: the model that is asked, or whose words are repeated. */
  modelLabel(task: string): string {
    const { kind, model } = this.#options.settings.current;
    if (kind === "openai") return model;
    const by = recordedModel({ transcripts: this.#transcripts() }).transcriptFor(task)?.by;
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
