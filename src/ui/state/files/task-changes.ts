import { messageOf } from "../../../protocol/index.js";
import {
  WorkspaceConflictError,
  type ChangedFile,
  type Workspace,
  type WorkspaceChanges,
} from "../../../workspace/index.js";
import type { DiffFile } from "../text/file-difference.js";
import { formatCount } from "../text/format.js";
import { Observable } from "../text/observable.js";
import { textOf } from "./file-text.js";

/** Files whose lines are read to be shown, and bytes of them together; the artifact has them all. */
const MOST_SHOWN = 200;
const MOST_BYTES = 8_000_000;

/** What a task changed in the workspace: shown, undone, made again. */
export class TaskChanges extends Observable {
  readonly #taskId: string;
  readonly #workspace: Workspace;
  #changes: WorkspaceChanges | undefined;
  #files: readonly ChangedFile[] = [];
  /** Null until it is known. */
  state: WorkspaceChanges["state"] | "gone" | null = null;
  /** Why they could not be read, undone or made again; empty when they could. */
  problem = "";
  isBusy = false;

  constructor(taskId: string, workspace: Workspace) {
    super();
    this.#taskId = taskId;
    this.#workspace = workspace;
  }

  /** Which files: `2 files changed: 1 added, 1 deleted.` */
  get summary(): string {
    const kinds = (["added", "deleted"] as const).flatMap((kind) => {
      const count = this.#files.filter((file) => file.kind === kind).length;
      return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${kind}`];
    });
    return `${formatCount(this.#files.length, "file")} changed${kinds.length === 0 ? "" : `, ${kinds.join(", ")}`}.`;
  }

  /** How many files the difference does not show. */
  get left(): number {
    return Math.max(0, this.#files.length - MOST_SHOWN);
  }

  async load(): Promise<void> {
    await this.#work(async () => {
      this.#changes = await this.#workspace.changes(this.#taskId);
      this.#files = (await this.#changes?.files()) ?? [];
      this.state = this.#changes?.state ?? "gone";
    });
  }

  /** @returns whether it was done. */
  undo(): Promise<boolean> {
    return this.#work(async () => {
      await this.#changes?.undo();
      this.state = this.#changes?.state ?? "gone";
    });
  }

  /** @returns whether it was done. */
  redo(): Promise<boolean> {
    return this.#work(async () => {
      await this.#changes?.redo();
      this.state = this.#changes?.state ?? "gone";
    });
  }

  /** What a reader is shown of the files. */
  async difference(): Promise<readonly DiffFile[]> {
    const shown: DiffFile[] = [];
    let bytes = 0;
    for (const { path, kind } of this.#files.slice(0, MOST_SHOWN)) {
      const versions = await this.#changes?.read(path);
      const [before, after] = [versions?.before ?? null, versions?.after ?? null];
      bytes += (before?.byteLength ?? 0) + (after?.byteLength ?? 0);
      const old = before === null || bytes > MOST_BYTES ? null : textOf(before);
      const young = after === null || bytes > MOST_BYTES ? null : textOf(after);
      const isBinary = (before !== null && old === null) || (after !== null && young === null);
      shown.push({
        path,
        before: kind === "added" ? null : (old ?? ""),
        after: kind === "deleted" ? null : (young ?? ""),
        isBinary,
      });
    }
    return shown;
  }

  async #work(work: () => Promise<void>): Promise<boolean> {
    this.isBusy = true;
    this.problem = "";
    this.changed();
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = problemText(error);
      return false;
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }
}

function problemText(error: unknown): string {
  if (!(error instanceof WorkspaceConflictError)) return messageOf(error);
  return `${error.path} has been changed since, so nothing was done. Put it back, or move it, and try again.`;
}
