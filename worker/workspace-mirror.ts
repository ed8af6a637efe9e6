import type { PyodideAPI } from "pyodide";

import type { WorkspaceChange } from "../src/protocol/index.js";

const ROOT = "/workspace";

interface FileState {
  readonly size: number;
  readonly modified: number;
}

type FileSystem = PyodideAPI["FS"];

/** The interpreter's copy of the session's workspace: written before a run, looked through after it. */
export class WorkspaceMirror {
  readonly #fs: FileSystem;
  #known = new Map<string, FileState>();
  #scannedAt = 0;

  constructor(pyodide: PyodideAPI) {
    this.#fs = pyodide.FS;
    this.#fs.mkdirTree(ROOT);
    this.#fs.chdir(ROOT);
  }

  /** Brings in what changed outside. */
  apply(changes: readonly WorkspaceChange[]): void {
    for (const { path, content } of changes) {
      const target = `${ROOT}/${path}`;
      if (content === null) this.#delete(target);
      else {
        this.#fs.mkdirTree(target.slice(0, target.lastIndexOf("/")));
        this.#fs.writeFile(target, content);
      }
    }
    this.#known = this.#scan();
    this.#scannedAt = Date.now();
    // A file written again in this very millisecond, at the same size, would look unchanged.
    while (Date.now() <= this.#scannedAt);
  }

  /** What changed inside since `apply`. */
  collect(): WorkspaceChange[] {
    const found = this.#scan();
    const changes: WorkspaceChange[] = [];
    for (const [path, state] of found) {
      const before = this.#known.get(path);
      if (before?.size === state.size && before.modified === state.modified) continue;
      changes.push({ path, content: this.#fs.readFile(`${ROOT}/${path}`).slice() });
    }
    for (const path of this.#known.keys()) {
      if (!found.has(path)) changes.push({ path, content: null });
    }
    this.#known = found;
    return changes;
  }

  #scan(): Map<string, FileState> {
    const found = new Map<string, FileState>();
    const visit = (folder: string, prefix: string): void => {
      for (const name of this.#fs.readdir(folder)) {
        if (name === "." || name === ".." || name === "__pycache__") continue;
        const full = `${folder}/${name}`;
        const { mode, size, mtime } = this.#fs.lstat(full) as { mode: number; size: number; mtime: Date };
        if (this.#fs.isDir(mode)) visit(full, `${prefix}${name}/`);
        // Links and devices have no place in a store of files.
        else if (this.#fs.isFile(mode)) found.set(prefix + name, { size, modified: mtime.getTime() });
      }
    };
    if (this.#fs.analyzePath(ROOT).exists) visit(ROOT, "");
    return found;
  }

  #delete(target: string): void {
    if (this.#fs.analyzePath(target).exists) this.#fs.unlink(target);
  }
}
