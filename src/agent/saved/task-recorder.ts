import type { AgentEvent, AgentResult, TaskStarted } from "../events/events.js";
import { TaskNotResumableError } from "./errors.js";
import { lockTask, type TaskLock } from "./task-lock.js";
import type { TaskWriter } from "./task-writer.js";

interface Head {
  readonly task: string;
  readonly agent: TaskStarted["agent"];
  readonly model: string;
  readonly startedAt: number;
  readonly state: AgentResult["state"] | null;
}

export interface TaskRecorderOptions {
  readonly taskId: string;
  readonly writer: TaskWriter;
  readonly writeHead: (head: Head) => Promise<void>;
  /** Called once, when the task begins. */
  readonly onStart: () => Promise<void>;
  /** The sequence of the newest event that is kept of the task; null where none is. */
  readonly newest: () => Promise<number | null>;
  readonly onProblem: (error: unknown) => void;
}

/** A task that is taken up: what it was begun with, and the newest of the events that are known of it. */
export interface LoadedTask {
  readonly started: TaskStarted;
  readonly newest: number;
}

/** Keeps one task while it goes on. */
export class TaskRecorder {
  readonly #options: TaskRecorderOptions;
  #started: TaskStarted | undefined;
  #lock: TaskLock | null = null;
  #locking: Promise<Error | null> | undefined;
  /** Events of a task that may turn out to be somebody else's by now; null once that is known. */
  #held: AgentEvent[] | null = null;
  #isRefused = false;
  #heads: Promise<void> = Promise.resolve();

  constructor(options: TaskRecorderOptions) {
    this.#options = options;
  }

  /**
   * Takes the task for this tab.
   *
   * @param loaded - a task that is taken up: nothing of it is kept until it is clear that nobody else has it, and that it
   * has not gone on elsewhere.
   * @returns why it is not to be had; null when it is.
   */
  lock(loaded?: LoadedTask): Promise<Error | null> {
    if (loaded !== undefined) {
      this.#started = loaded.started;
      this.#held = [];
    }
    this.#locking ??= this.#take(loaded).then((refusal) => {
      this.#isRefused = refusal !== null;
      const held = this.#held ?? [];
      this.#held = null;
      for (const event of held) this.add(event);
      return refusal;
    });
    return this.#locking;
  }

  async #take(loaded: LoadedTask | undefined): Promise<Error | null> {
    const { taskId, newest } = this.#options;
    this.#lock = await lockTask(taskId);
    if (this.#lock === null) return new TaskNotResumableError(taskId, "it runs already, here or in another tab.");
    if (loaded === undefined) return null;
    try {
      // Nobody else writes from here on, so what is there is the last word.
      if ((await newest()) === loaded.newest) return null;
      const problem = "it has gone on, or was deleted or replaced, since it was loaded. Load it again.";
      return new TaskNotResumableError(taskId, problem);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error), { cause: error });
    }
  }

  add(event: AgentEvent): void {
    if (this.#isRefused) return;
    if (this.#held !== null) {
      this.#held.push(event);
      return;
    }
    const { taskId, writer, onStart } = this.#options;
    writer.add(event);
    // The beginnings and ends of other agents in its course are told among its events.
    if (event.taskId !== taskId) return;
    if (event.type === "task-started") {
      this.#started = event;
      this.#writeHead(null);
      // Once it is among those that are counted.
      void this.#heads.then(onStart).catch(this.#options.onProblem);
    }
    if (event.type === "task-resumed") this.#writeHead(null);
    if (event.type === "task-ended") this.#writeHead(event.result.state);
  }

  /** Waits until all of it so far is stored. @throws {StorageError} when the storage refuses it. */
  async flush(): Promise<void> {
    await Promise.all([this.#options.writer.flush(), this.#heads]);
  }

  /** Waits until all of it is stored, and lets go of the task. @throws {StorageError} when the storage refuses it. */
  async finish(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#locking;
      await this.#lock?.release();
    }
  }

  #writeHead(state: AgentResult["state"] | null): void {
    const started = this.#started;
    if (started === undefined) return;
    const { task, agent, model, time: startedAt } = started;
    const head = { task, agent, model: model.name, startedAt, state };
    // One that was refused has been told of.
    this.#heads = this.#heads.catch(() => undefined).then(() => this.#options.writeHead(head));
    this.#heads.catch(this.#options.onProblem);
  }
}
