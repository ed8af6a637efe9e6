import { checkArgument, optionCheck } from "../../options/index.js";
import type { StorageBackend } from "../../storage/index.js";
import type { ArtifactSource } from "./attachments.js";
import type { SavedTask } from "./saved-task.js";
import type { LoadTaskOptions, TaskArchive, TaskList } from "./task-archive.js";
import type { TaskRecorder } from "./task-recorder.js";

/** How many tasks a store keeps, and who is told of what could not be written. */
export interface TaskStoreOptions {
  /** Saved tasks beyond which the oldest is deleted when one begins. Default 200. */
  readonly maxTasks?: number;
  /** Told when something could not be saved. The task itself goes on, and says so by a notice. */
  readonly onProblem?: (error: unknown) => void;
}

const checkOptions = optionCheck<TaskStoreOptions>("new TaskStore", { maxTasks: "number?", onProblem: "function?" });
const checkLoad = optionCheck<LoadTaskOptions>("tasks.load", { attachments: "boolean?" });
const checkExport = optionCheck<{ readonly artifacts?: ArtifactSource }>("tasks.export", { artifacts: "object?" });

/**
 * Tasks of agents, kept in a storage as they happen. Hand it to an agent as `tasks`; a storage may be shared with a
 * session.
 */
export class TaskStore {
  readonly #storage: StorageBackend;
  readonly #maxTasks: number;
  readonly #onProblem: (error: unknown) => void;
  #archive: Promise<TaskArchive> | undefined;

  /** @throws {OptionError} */
  constructor(storage: StorageBackend, options: TaskStoreOptions = {}) {
    checkArgument("new TaskStore", "storage", storage, "object");
    checkOptions(options);
    const { maxTasks = 200, onProblem = () => undefined } = options;
    this.#storage = storage;
    this.#maxTasks = maxTasks;
    this.#onProblem = onProblem;
  }

  /**
   * The saved tasks, the newest first. One that cannot be listed is among the problems, and spoils no other.
   *
   * @throws {StorageError} when the storage cannot be reached.
   */
  async list(): Promise<TaskList> {
    return (await this.#opened()).list();
  }

  /**
   * A saved task, whole. What is damaged of it is left out, and told of in its `problems`.
   *
   * @throws {TaskNotFoundError}
   * @throws {SavedTaskError} when so much is damaged that nothing can be told, and for a task from a file that would say
   *   again what it does not show.
   * @throws {StorageError} when the storage cannot be reached.
   */
  async load(taskId: string, options: LoadTaskOptions = {}): Promise<SavedTask> {
    checkLoad(options);
    return (await this.#opened()).load(taskId, options);
  }

  /**
   * Deletes a saved task. One that is not there is fine.
   *
   * @throws {TaskNotResumableError} while it runs.
   * @throws {StorageWriteError}
   */
  async delete(taskId: string): Promise<void> {
    return (await this.#opened()).delete(taskId);
  }

  /**
   * A saved task as the text of one file: what was said, run, called and shown. Files that it made are not in it.
   *
   * @param artifacts - where the artifacts that it saved are read, as they are now; `session.artifacts` is one. Up to
   *   4 MB of each and 12 MB of all go along; the file says which do not, and why. A task that came from a file takes along
   *   what came with it, and nothing from here. Without `artifacts` none is added.
   * @throws what {@link load} throws.
   */
  async export(taskId: string, options: { readonly artifacts?: ArtifactSource } = {}): Promise<string> {
    checkExport(options);
    return (await this.#opened()).export(taskId, options.artifacts);
  }

  /**
   * Keeps the task of such a file, in the place of one that has its id. Nothing of it is run, and its artifacts are
   * kept with it alone.
   *
   * @throws {SavedTaskError} when the file holds no task, only a part of one, or one that would say again what it does not
   *   show.
   * @throws {TaskNotResumableError} when that very task runs.
   * @throws {StorageWriteError}
   */
  async import(text: string): Promise<SavedTask> {
    return (await this.#opened()).import(text);
  }

  /**
   * Keeps the events of a task from now on.
   *
   * @internal
   */
  async record(taskId: string): Promise<TaskRecorder> {
    const archive = await this.#opened();
    return archive.record(taskId, { maxTasks: this.#maxTasks, onProblem: this.#onProblem });
  }

  #opened(): Promise<TaskArchive> {
    this.#archive ??= import("./task-archive.js").then(
      (loaded) => new loaded.TaskArchive(this.#storage),
      (error: unknown) => {
        // The next call tries again.
        this.#archive = undefined;
        throw error;
      },
    );
    return this.#archive;
  }
}
