import { z } from "zod";

import { randomId, Slices, type Problem } from "../../protocol/index.js";
import {
  decodeText,
  encodeJson,
  encodeText,
  listJson,
  ignoreDamage,
  listKeys,
  readJson,
  StorageReadError,
  type StorageBackend,
} from "../../storage/index.js";
import type { AgentEvent, AgentName } from "../events/events.js";
import { SavedTaskError, TaskNotFoundError, TaskNotResumableError } from "./errors.js";
import { readEventLine } from "./read-event-line.js";
import {
  attachmentsAgain,
  attachmentsOf,
  linesOfAttachments,
  type ArtifactSource,
  type Attachments,
} from "./attachments.js";
import { checkWords } from "./check-words.js";
import { attachmentsKey, eventsPrefix, headKey, HEADS_PREFIX, isTaskId } from "./keys.js";
import { Moment } from "./stored-event.js";
import { readSavedTask, type SavedTask, type SavedTaskState } from "./saved-task.js";
import { linesOf, readAttachments, readTaskFile, writeTaskFile } from "./task-file.js";
import { lockTask, runningTasks } from "./task-lock.js";
import { TaskRecorder } from "./task-recorder.js";
import { TaskWriter } from "./task-writer.js";

/** A saved task as a list shows it. */
export interface SavedTaskSummary {
  readonly taskId: string;
  readonly task: string;
  readonly agent: AgentName;
  /** The model's name. */
  readonly model: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether it came from a file: what it ran was somebody else's, and runs here only if it is run again. */
  readonly isImported: boolean;
  /** `running`: it goes on now, in this tab or another one. */
  readonly state: SavedTaskState | "running";
}

/** The saved tasks that can be read, and what is wrong with the others: one that is damaged hides none. */
export interface TaskList {
  /** The newest first. */
  readonly tasks: readonly SavedTaskSummary[];
  /** Saved tasks that cannot be listed. */
  readonly problems: readonly Problem[];
}

/** What is read of a saved task. */
export interface LoadTaskOptions {
  /** Whether its `attachments` are read, which may be megabytes. Default true; they are null without. */
  readonly attachments?: boolean;
}

const Head = z.strictObject({
  version: z.literal(1),
  task: z.string(),
  agent: z.enum(["code", "react"]),
  model: z.string(),
  startedAt: Moment,
  /** Whether it came from a file. */
  isImported: z.boolean(),
  /** Null until it ends. */
  state: z.enum(["completed", "step_limit_reached", "budget_reached", "cancelled", "error"]).nullable(),
});
type Head = z.infer<typeof Head>;

/** Segments that are read together. */
const AT_ONCE = 64;

/** Reads, deletes and takes in what {@link TaskStore} promises; loaded when that is first asked for. */
export class TaskArchive {
  readonly #storage: StorageBackend;

  constructor(storage: StorageBackend) {
    this.#storage = storage;
  }

  async list(): Promise<TaskList> {
    const [{ records, problems }, running] = await Promise.all([
      listJson(this.#storage, { prefix: HEADS_PREFIX, schema: Head, isName: isTaskId }),
      runningTasks(),
    ]);
    const tasks = Array.from(records, ([taskId, head]): TaskList["tasks"][number] => {
      const { task, agent, model, startedAt, isImported, state } = head;
      const stands = running.has(taskId) ? "running" : (state ?? "interrupted");
      return { taskId, task, agent, model, startedAt, isImported, state: stands };
    });
    return { tasks: tasks.sort((one, other) => other.startedAt - one.startedAt), problems };
  }

  async load(taskId: string, { attachments: isWhole = true }: LoadTaskOptions = {}): Promise<SavedTask> {
    if (!isTaskId(taskId)) throw new TaskNotFoundError(taskId);
    const keys = await listKeys(this.#storage, eventsPrefix(taskId));
    if (keys.length === 0) throw new TaskNotFoundError(taskId);
    const events: AgentEvent[] = [];
    const problems: Problem[] = [];
    const slices = new Slices();
    for (let start = 0; start < keys.length; start += AT_ONCE) {
      const some = keys.slice(start, start + AT_ONCE);
      const texts = await Promise.all(some.map((key) => this.#readText(key)));
      for (const [index, text] of texts.entries()) {
        const file = some[index] ?? "";
        if (typeof text === "string") await readLines(text, { file, events, problems, slices });
        else problems.push(text);
      }
    }
    const isImported = await this.#isImported(taskId);
    const attachments = isImported && isWhole ? await this.#readAttachments(taskId, problems) : null;
    const saved = await readSavedTask(events, { taskId, attachments, problems });
    // It was kept, perhaps, by a page that did not look.
    if (isImported) checkWords(events);
    return saved;
  }

  async delete(taskId: string): Promise<void> {
    if (!isTaskId(taskId)) return;
    const lock = await lockTask(taskId);
    if (lock === null) throw new TaskNotResumableError(taskId, "it runs. Stop it before it is deleted.");
    try {
      const keys = [headKey(taskId), attachmentsKey(taskId), ...(await listKeys(this.#storage, eventsPrefix(taskId)))];
      await this.#storage.write(new Map(keys.map((key) => [key, null])));
    } finally {
      await lock.release();
    }
  }

  async export(taskId: string, source: ArtifactSource | undefined): Promise<string> {
    const { events, attachments } = await this.load(taskId);
    if (source === undefined) return await writeTaskFile({ events, attachments });
    // What a file names is somebody else's choice, and must not take the user's own artifact of that name along.
    const isImported = await this.#isImported(taskId);
    const all = isImported ? attachmentsAgain(events, attachments) : await attachmentsOf(events, source);
    const isEmpty = all.artifacts.length + all.missing.length === 0;
    return await writeTaskFile({ events, attachments: isEmpty ? null : all });
  }

  async import(text: string): Promise<SavedTask> {
    const { events, attachments } = await readTaskFile(text);
    const saved = await readSavedTask(events, { attachments });
    const { taskId } = saved;
    if (!isTaskId(taskId)) throw new SavedTaskError("its id is none");
    checkWords(events);
    const lock = await lockTask(taskId);
    if (lock === null) throw new TaskNotResumableError(taskId, "it runs. Stop it before it is replaced.");
    try {
      const old = await listKeys(this.#storage, eventsPrefix(taskId));
      const lines = await linesOf(saved.events);
      const attached = attachments === null ? null : await linesOfAttachments(attachments);
      await this.#storage.write(
        new Map([
          ...old.map((key) => [key, null] as const),
          [`${eventsPrefix(taskId)}0`, encodeText(lines)] as const,
          [attachmentsKey(taskId), attached === null ? null : encodeText(attached)] as const,
          [headKey(taskId), encodeJson(headOf(saved))] as const,
        ]),
      );
    } finally {
      await lock.release();
    }
    return saved;
  }

  /** Keeps the events of a task from now on. */
  record(
    taskId: string,
    { maxTasks, onProblem }: { readonly maxTasks: number; readonly onProblem: (error: unknown) => void },
  ): TaskRecorder {
    const writer = new TaskWriter(this.#storage, { taskId, life: randomId(), onProblem });
    return new TaskRecorder({
      taskId,
      writer,
      writeHead: async (head) => {
        // What came from a file and goes on here came from a file all the same.
        const known = await readJson(this.#storage, headKey(taskId), Head).catch(ignoreDamage);
        const whole: Head = { version: 1, ...head, isImported: known?.isImported ?? false };
        await this.#storage.write(new Map([[headKey(taskId), encodeJson(whole)]]));
      },
      onStart: () => this.keepNewest(maxTasks),
      newest: () => this.#newest(taskId),
      onProblem,
    });
  }

  /** Deletes the oldest tasks beyond so many. */
  async keepNewest(count: number): Promise<void> {
    const { tasks } = await this.list();
    for (const { taskId, state } of tasks.slice(count)) {
      if (state !== "running") await this.delete(taskId);
    }
  }

  /** The sequence of the last event that can be read; null where none can. */
  async #newest(taskId: string): Promise<number | null> {
    const keys = await listKeys(this.#storage, eventsPrefix(taskId));
    for (const key of keys.reverse()) {
      const text = await this.#readText(key);
      if (typeof text !== "string") continue;
      for (const line of text.split("\n").reverse()) {
        const event = eventOf(line);
        if (event !== null) return event.sequence;
      }
    }
    return null;
  }

  /** Also where that cannot be read any more: what is taken for somebody else's has no rights. */
  async #isImported(taskId: string): Promise<boolean> {
    const head = await readJson(this.#storage, headKey(taskId), Head).catch(ignoreDamage);
    return head?.isImported !== false;
  }

  async #readAttachments(taskId: string, problems: Problem[]): Promise<Attachments | null> {
    const file = attachmentsKey(taskId);
    const text = await this.#readText(file);
    if (typeof text === "string") return readAttachments(text, { file, problems });
    problems.push(text);
    return null;
  }

  async #readText(key: string): Promise<string | Problem> {
    try {
      const bytes = await this.#storage.get(key);
      const text = bytes === undefined ? "" : decodeText(bytes);
      return text ?? new StorageReadError(key, "it is not UTF-8 text").toProblem();
    } catch (error) {
      if (error instanceof StorageReadError) return error.toProblem();
      throw error;
    }
  }
}

async function readLines(
  text: string,
  {
    file,
    events,
    problems,
    slices,
  }: {
    readonly file: string;
    readonly events: AgentEvent[];
    readonly problems: Problem[];
    readonly slices: Slices;
  },
): Promise<void> {
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "") continue;
    await slices.rest();
    try {
      events.push(readEventLine(line));
    } catch (error) {
      if (!(error instanceof SavedTaskError)) throw error;
      problems.push({ file, line: index + 1, message: error.problem, code: error.code });
    }
  }
}

function eventOf(line: string): AgentEvent | null {
  try {
    return readEventLine(line);
  } catch (error) {
    if (error instanceof SavedTaskError) return null;
    throw error;
  }
}

function headOf({ task, agent, model, startedAt, result }: SavedTask): Head {
  return { version: 1, task, agent, model: model.name, startedAt, isImported: true, state: result?.state ?? null };
}
