import type { AgentEvent, AgentResult, TaskStarted } from "../events.js";
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
  readonly onProblem: (error: unknown) => void;
}

/** Keeps one task while it goes on. */
export class TaskRecorder {
  readonly #options: TaskRecorderOptions;
  #started: TaskStarted | undefined;
  #lock: TaskLock | null = null;
  #locking: Promise<boolean> | undefined;
  /** Events of a task that may turn out to run elsewhere; null once that is known. */
  #held: AgentEvent[] | null = null;
  #isRefused = false;
  #heads: Promise<void> = Promise.resolve();

  constructor(options: TaskRecorderOptions) {
    this.#options = options;
  }

  /**
   * Takes the task for this tab.
   *
   * @param started - what a task was begun with that is taken up: nothing of it is kept until it is clear that nobody
   * else has it.
   * @returns false when it runs already, here or in another tab.
   */
  lock(started?: TaskStarted): Promise<boolean> {
    if (started !== undefined) {
      this.#started = started;
      this.#held = [];
    }
    this.#locking ??= lockTask(this.#options.taskId).then((lock) => {
      this.#lock = lock;
      this.#isRefused = lock === null;
      const held = this.#held ?? [];
      this.#held = null;
      for (const event of held) this.add(event);
      return lock !== null;
    });
    return this.#locking;
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
      this.#lock?.release();
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
