import type { LoadTaskOptions, SavedTask, SavedTaskState, SavedTaskSummary } from "../../../agent/index.js";
import { messageOf, type Problem } from "../../../protocol/index.js";
import type { DemoSession } from "../session/demo-session.js";
import { Observable } from "../text/observable.js";

/** The tasks that the session's storage keeps, of this visit and earlier ones. */
export class SavedTasks extends Observable {
  /** Newest first. */
  tasks: readonly SavedTaskSummary[] = [];
  /** Tasks that cannot be listed. */
  problems: readonly Problem[] = [];
  /** Why the list could not be read; empty otherwise. */
  trouble = "";

  readonly #session: DemoSession;
  #store: DemoSession["tasks"];
  #readings = 0;
  /** Those that came from files in this visit, also where the list cannot be read. */
  readonly #imported = new Set<string>();

  constructor(session: DemoSession) {
    super();
    this.#session = session;
    session.onChange(() => {
      if (session.tasks === this.#store) return;
      this.#store = session.tasks;
      void this.refresh();
    });
  }

  /** Reads the list anew. */
  async refresh(): Promise<void> {
    const store = this.#store;
    if (store === undefined) return;
    const reading = (this.#readings += 1);
    let found: Pick<SavedTasks, "tasks" | "problems" | "trouble">;
    try {
      found = { ...(await store.list()), trouble: "" };
    } catch (error) {
      found = { tasks: [], problems: [], trouble: messageOf(error) };
    }
    // A later reading knows more.
    if (reading !== this.#readings) return;
    Object.assign(this, found);
    this.changed();
  }

  /** Whether it runs, in this tab or another one. */
  isRunning(taskId: string): boolean {
    return this.tasks.some((task) => task.taskId === taskId && task.state === "running");
  }

  isImported(taskId: string): boolean {
    return this.#imported.has(taskId) || this.tasks.some((task) => task.taskId === taskId && task.isImported);
  }

  /** @throws what `TaskStore.load` throws. */
  async load(taskId: string, options: LoadTaskOptions = {}): Promise<SavedTask> {
    return (await this.#opened()).load(taskId, options);
  }

  /** The task as one file, with the artifacts that it saved. @throws what `TaskStore.export` throws. */
  async export(taskId: string): Promise<string> {
    const { artifacts } = await this.#session.open();
    return (await this.#opened()).export(taskId, { artifacts });
  }

  /** Keeps the task of a file. Nothing of it is run. @throws what `TaskStore.import` throws. */
  async import(text: string): Promise<SavedTask> {
    const saved = await (await this.#opened()).import(text);
    this.#imported.add(saved.taskId);
    await this.refresh();
    return saved;
  }

  /** @throws what `TaskStore.delete` throws. */
  async delete(taskId: string): Promise<void> {
    try {
      await (await this.#opened()).delete(taskId);
    } finally {
      await this.refresh();
    }
  }

  async #opened(): Promise<NonNullable<DemoSession["tasks"]>> {
    if (this.#store === undefined) await this.#session.open();
    if (this.#store === undefined) throw new Error("No storage could be opened, so there are no saved tasks.");
    return this.#store;
  }
}

/** Asked before a task from a file is run again or goes on: what it holds is somebody else's. */
export const FOREIGN_TASK_QUESTION =
  "This task came from a file. What it ran would run here, with your tools and files, and its words would be told to " +
  "your model. Open it first to see what that is. Go on?";

/** Asked before a task follows up on one from a file. */
export const FOREIGN_WORDS_QUESTION =
  "This task came from a file. Its words would be told to your model, which works with your tools and files. Read first " +
  "what was said in it. Follow up on it?";

/** How a saved task stands, in words. */
export const SAVED_STATE_NAMES: Readonly<Record<SavedTaskState | "running", string>> = {
  completed: "Done",
  step_limit_reached: "Step limit reached",
  budget_reached: "Budget used up",
  cancelled: "Stopped",
  error: "Failed",
  interrupted: "Interrupted",
  running: "Running",
};

/** Whether a task of that state can be taken up. */
export function canGoOn(state: SavedTaskState | "running"): boolean {
  return state !== "completed" && state !== "running";
}

/** Why a task cannot be taken up now, as a sentence; empty where it can. */
export function whyNotOn(
  state: SavedTaskState | "running",
  {
    hasModel,
    knows,
  }: {
    /** Whether there is a model that can go on. */
    readonly hasModel: boolean;
    /** Whether the recorded model knows the task. */
    readonly knows: boolean;
  },
): string {
  if (state === "running") return "It still runs, here or in another tab.";
  if (state === "completed") return "It has its answer, so there is nothing to go on with.";
  if (hasModel) return "";
  return knows
    ? "The recorded model cannot go on with it, only begin again."
    : "To go on it needs a model of your own.";
}

/** A file name for a task: `what-did-we-sell.task.jsonl`. */
export function taskFileName(task: string, ending: string): string {
  const words = task
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  return `${words === "" ? "task" : words}${ending}`;
}
