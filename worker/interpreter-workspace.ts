import type { PyodideAPI } from "pyodide";

import {
  MOST_FILE_PROBLEMS,
  MOST_FILES,
  MOST_UNSTORED,
  type RunReply,
  type WorkspaceChange,
} from "../src/protocol/index.js";

const ROOT = "/workspace";
/** Characters; the page refuses longer paths. */
const LONGEST_PATH = 1024;

const NO_FILE = "it is a link, or a device, and files alone are kept; later runs find it until the interpreter ends";

const UNREADABLE = "cannot be read: Permission denied (os error 13)";

interface FileState {
  readonly size: number;
  readonly modified: number;
}

/** What is there beside files: folders that hold nothing or cannot be read, links, devices. */
export interface UnstoredEntry {
  readonly path: string;
  readonly kind: "folder" | "link" | "other";
  /** Why what is in the folder is not known. */
  readonly note?: string;
}

type FileSystem = PyodideAPI["FS"];
type FileProblems = RunReply["fileProblems"];

/**
 * The interpreter's copy of the session's workspace: written before a run, looked
 * through after it. A file that makes trouble is left out and named.
 */
export class InterpreterWorkspace {
  readonly #fs: FileSystem;
  #known = new Map<string, FileState>();
  /** What is no file and was named once; a link that stays is not news after every run. */
  #named = new Set<string>();
  /** As of the last look. */
  #unstored: UnstoredEntry[] = [];

  constructor(pyodide: PyodideAPI) {
    this.#fs = pyodide.FS;
    this.#fs.mkdirTree(ROOT);
    this.#fs.chdir(ROOT);
  }

  /** Brings in what changed outside. Answers with what could not be brought in. */
  apply(changes: readonly WorkspaceChange[]): FileProblems {
    const problems: FileProblems = [];
    // A file that the code writes again within this millisecond, at the same size, must not look unchanged.
    const before = Date.now() - 2;
    for (const { path, content } of changes) {
      attempt(problems, path, () => {
        const target = `${ROOT}/${path}`;
        if (content === null) {
          this.#delete(target);
          this.#known.delete(path);
          return;
        }
        this.#fs.mkdirTree(target.slice(0, target.lastIndexOf("/")));
        this.#fs.writeFile(target, content);
        this.#fs.utime(target, before, before);
        // Of this file alone: what the code has written meanwhile is for `collect`.
        this.#known.set(path, { size: content.byteLength, modified: before });
      });
    }
    return problems.slice(0, MOST_FILE_PROBLEMS);
  }

  /** What changed inside since `apply`: the first ten thousand files, the rest at the next call. */
  collect(): { files: WorkspaceChange[]; problems: FileProblems; unstored: readonly UnstoredEntry[] } {
    const problems: FileProblems = [];
    const found = this.#scan(problems);
    const files: WorkspaceChange[] = [];
    const later = new Map<string, FileState | undefined>();
    for (const [path, before] of this.#known) {
      if (found.has(path)) continue;
      if (files.length < MOST_FILES) files.push({ path, content: null });
      else later.set(path, before);
    }
    for (const [path, state] of found) {
      const before = this.#known.get(path);
      if (before?.size === state.size && before.modified === state.modified) continue;
      if (files.length >= MOST_FILES) {
        later.set(path, before);
        continue;
      }
      attempt(problems, path, () => {
        files.push({ path, content: this.#fs.readFile(`${ROOT}/${path}`).slice() });
      });
    }
    this.#known = found;
    for (const [path, before] of later) {
      if (before === undefined) found.delete(path);
      else found.set(path, before);
    }
    if (later.size > 0) {
      const reason = `${String(later.size)} more files were changed than are taken over after one run; they are after the next`;
      problems.unshift({ path: ROOT, reason });
    }
    return { files, problems: problems.slice(0, MOST_FILE_PROBLEMS), unstored: this.#unstored };
  }

  #scan(problems: FileProblems): Map<string, FileState> {
    const found = new Map<string, FileState>();
    const named = new Set<string>();
    this.#unstored = [];
    const visit = (folder: string, prefix: string): void => {
      const names = this.#namesIn(folder, prefix, found);
      if (prefix !== "" && names.every(isNoEntry)) this.#tell({ path: prefix.slice(0, -1), kind: "folder" });
      for (const name of names) {
        if (isNoEntry(name)) continue;
        const path = prefix + name;
        attempt(problems, path, () => {
          const { mode, size, mtime } = this.#fs.lstat(`${folder}/${name}`);
          if (this.#fs.isDir(mode)) visit(`${folder}/${name}`, `${path}/`);
          else if (!this.#fs.isFile(mode)) {
            this.#tell({ path, kind: this.#fs.isLink(mode) ? "link" : "other" });
            if (named.size < MOST_FILE_PROBLEMS) named.add(path);
            if (named.has(path) && !this.#named.has(path)) throw new Error(NO_FILE);
          } else if (path.length > LONGEST_PATH) throw new Error("its path is too long");
          else found.set(path, { size, modified: mtime.getTime() });
        });
      }
    };
    attempt(problems, "", () => {
      visit(ROOT, "");
    });
    this.#named = named;
    return found;
  }

  /** Of a folder that cannot be read the files stay as they were known. @throws what the file system throws. */
  #namesIn(folder: string, prefix: string, found: Map<string, FileState>): readonly string[] {
    try {
      const names = this.#fs.readdir(folder);
      // A folder without leave to look anything up in it tells its names all the same.
      const first = names.find((name) => !isNoEntry(name));
      if (first !== undefined) this.#fs.lstat(`${folder}/${first}`);
      return names;
    } catch (error) {
      for (const [path, state] of this.#known) if (path.startsWith(prefix)) found.set(path, state);
      if (prefix !== "") this.#tell({ path: prefix.slice(0, -1), kind: "folder", note: UNREADABLE });
      throw error;
    }
  }

  #tell(entry: UnstoredEntry): void {
    if (this.#unstored.length < MOST_UNSTORED && entry.path.length <= LONGEST_PATH) this.#unstored.push(entry);
  }

  #delete(target: string): void {
    if (this.#fs.analyzePath(target).exists) this.#fs.unlink(target);
  }
}

/** What a listing has of itself, and what Python writes for itself. */
function isNoEntry(name: string): boolean {
  return name === "." || name === ".." || name === "__pycache__";
}

function attempt(problems: FileProblems, path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    // Emscripten's errors carry a number and no message.
    const known = error instanceof Error && error.message !== "" ? error.message : undefined;
    const reason = known ?? `the file system of Python refused it (${String(error)})`;
    problems.push({ path: `/workspace/${path.slice(0, LONGEST_PATH)}`, reason });
  }
}
