import { messageOf } from "../../../protocol/index.js";
import type { Workspace, WorkspaceFile } from "../../../workspace/index.js";
import type { DemoSession } from "../session/demo-session.js";
import type { Shelf } from "../shelf/shelf.js";
import { Observable } from "../text/observable.js";
import { createFile, isConflict } from "./file-changes.js";
import { copyPath, textOf } from "./file-text.js";
import { OpenFile, type OtherVersion } from "./open-file.js";

/** Files without changes that are kept beside those with changes, for what can be undone in them. */
const MOST_KEPT = 20;

/** What the files of a page lie in. */
export interface FilesAround {
  readonly session: DemoSession;
  readonly shelf: Shelf;
  announce(text: string): void;
}

/** The files that were opened in the editor, one of which is shown. */
export class OpenFiles extends Observable {
  readonly #app: FilesAround;
  /** By path, the one that was opened last at the end. */
  readonly #files = new Map<string, OpenFile>();
  /** The path of the one that is shown; empty where none is. */
  shown = "";
  /** Why something could not be done; empty otherwise. */
  problem = "";

  constructor(app: FilesAround) {
    super();
    this.#app = app;
    app.shelf.onChange(() => void this.#compare(app.shelf.files));
  }

  get current(): OpenFile | undefined {
    return this.#files.get(this.shown);
  }

  /** Paths of those with changes that are not saved. */
  get unsaved(): ReadonlySet<string> {
    return new Set(Array.from(this.#files.values()).flatMap((file) => (file.isChanged ? [file.path] : [])));
  }

  /** Shows a file. What was changed in others stays. */
  async open(path: string): Promise<void> {
    const known = this.#files.get(path);
    await this.#attempt(async () => {
      const file = known ?? new OpenFile(path);
      if (known === undefined) await file.read(await this.#workspace());
      this.#files.delete(path);
      this.#files.set(path, file);
      this.shown = path;
      const unchanged = [...this.#files.values()].filter(({ isChanged }) => !isChanged);
      for (const old of unchanged.slice(0, -MOST_KEPT)) this.#files.delete(old.path);
    });
  }

  /** Shows none. What was changed stays. */
  hide(): void {
    this.shown = "";
    this.problem = "";
    this.changed();
  }

  /** The editor has changed a file, or changed it back. */
  edited(file: OpenFile, draft: { readonly isChanged: boolean; readonly text: () => string }): void {
    const before = file.isChanged;
    file.edit(draft);
    if (before !== draft.isChanged) this.changed();
  }

  /** Writes the changes, if the file still is what was changed. Else nothing is written, and the other version is there. */
  async save(file: OpenFile): Promise<void> {
    if (!file.isSaving && (file.isChanged || file.other !== undefined)) await this.#write(file, file.version);
  }

  /** Writes the changes over the other version. */
  async overwrite(file: OpenFile): Promise<void> {
    if (file.other !== undefined) await this.#write(file, file.other.version);
  }

  /** Takes the other version, or what was saved last, and drops the changes. */
  async revert(file: OpenFile): Promise<void> {
    await this.#attempt(async () => {
      if (file.other?.version === null) this.#forget(file.path);
      else await file.read(await this.#workspace());
    });
  }

  /** Writes the changes beside the other version, which is shown from then on under its path. */
  async saveCopy(file: OpenFile): Promise<void> {
    await this.#attempt(async () => {
      const workspace = await this.#workspace();
      const copy = copyPath(file.path, new Set((await workspace.list()).map(({ path }) => path)));
      await createFile(workspace, copy, file.text);
      if (file.other?.version === null) this.#files.delete(file.path);
      else await file.read(workspace);
      await this.open(copy);
      this.#app.announce(`Your version is saved as ${copy}.`);
    });
  }

  /** Files have other paths now. Changes to them go with them. */
  moved(paths: ReadonlyMap<string, string>, files: readonly WorkspaceFile[]): void {
    const now = new Map(files.map((file) => [file.path, file]));
    for (const [from, to] of paths) {
      const file = this.#files.get(from);
      const known = this.#app.shelf.files.find(({ path }) => path === from);
      if (file === undefined) continue;
      this.#files.delete(from);
      this.#files.set(to, file);
      file.path = to;
      // One that was changed elsewhere before stays in the version that was read here, which shows it.
      if (known?.version === file.version) file.version = now.get(to)?.version ?? file.version;
      if (this.shown === from) this.shown = to;
    }
    this.changed();
  }

  /** A person had files deleted, and whatever was changed in them with it. */
  deleted(files: readonly WorkspaceFile[]): void {
    for (const { path } of files) this.#forget(path);
    this.changed();
  }

  async #write(file: OpenFile, ifVersion: string | null): Promise<void> {
    await this.#attempt(async () => {
      const { text } = file;
      const workspace = await this.#workspace();
      file.isSaving = true;
      this.changed();
      try {
        file.wrote(text, await workspace.write(file.path, text, { ifVersion }));
        this.#app.announce(`${file.path} is saved.`);
      } catch (error) {
        if (!isConflict(error)) throw error;
        file.other = await otherVersion(workspace, file.path);
        this.#app.announce(`${file.path} was not saved: it has changed meanwhile.`);
      } finally {
        file.isSaving = false;
      }
    });
  }

  /** Follows what something else has written: what is unchanged here is read again, what is changed waits for a person. */
  async #compare(files: readonly WorkspaceFile[]): Promise<void> {
    if (this.#files.size === 0) return;
    const versions = new Map(files.map(({ path, version }) => [path, version]));
    for (const file of [...this.#files.values()]) {
      if (versions.get(file.path) === file.version || file.isSaving) continue;
      await this.#attempt(async () => {
        const workspace = await this.#workspace();
        const other = await otherVersion(workspace, file.path);
        // The list may be older than what was saved here.
        if (other.version === file.version || other.version === file.other?.version) return;
        if (file.isChanged) file.other = other;
        else if (other.version === null) this.#forget(file.path);
        else await file.read(workspace);
      });
    }
  }

  #forget(path: string): void {
    this.#files.delete(path);
    if (this.shown === path) this.shown = "";
  }

  async #workspace(): Promise<Workspace> {
    return (await this.#app.session.open()).workspace;
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    try {
      this.problem = "";
      await action();
    } catch (error) {
      this.problem = messageOf(error);
    }
    this.changed();
  }
}

async function otherVersion(workspace: Workspace, path: string): Promise<OtherVersion> {
  try {
    const { content, version } = await workspace.readVersion(path);
    return { version, text: textOf(content) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "WORKSPACE_NOT_FOUND") {
      return { version: null, text: null };
    }
    throw error;
  }
}

const all = new WeakMap<FilesAround, OpenFiles>();

/** Those of a page, which outlive the elements that draw them. */
export function openFilesOf(app: FilesAround): OpenFiles {
  const files = all.get(app) ?? new OpenFiles(app);
  all.set(app, files);
  return files;
}
