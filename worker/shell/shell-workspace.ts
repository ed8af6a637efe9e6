import type { IFileSystem } from "just-bash/browser";

import type { WorkspaceChange } from "../../src/protocol/index.js";

const ROOT = "/workspace";

interface FileState {
  readonly size: number;
  readonly modified: number;
}

/** The shell's copy of the session's workspace: written before a command, looked through after it. */
export class ShellWorkspace {
  readonly #fs: IFileSystem;
  #known = new Map<string, FileState>();

  constructor(fs: IFileSystem) {
    this.#fs = fs;
  }

  /** Brings in what changed outside. */
  async apply(changes: readonly WorkspaceChange[]): Promise<void> {
    await this.#fs.mkdir(ROOT, { recursive: true });
    // What a command writes within this millisecond, at the same size, must not look unchanged.
    const before = new Date(Date.now() - 2);
    for (const change of changes) {
      await this.#write(change);
      if (change.content !== null) await this.#fs.utimes(absolute(change.path), before, before);
    }
    this.#known = await this.#scan();
  }

  /** All files, by their path below the workspace; copies, which a program may change. */
  async read(): Promise<Map<string, Uint8Array>> {
    const files = new Map<string, Uint8Array>();
    for (const path of (await this.#scan()).keys()) {
      files.set(path, new Uint8Array(await this.#fs.readFileBuffer(absolute(path))));
    }
    return files;
  }

  /** Leaves exactly these files, and writes only what differs. */
  async replace(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const path of (await this.#scan()).keys()) if (!files.has(path)) await this.#write({ path, content: null });
    for (const [path, content] of files) {
      if (await this.#holds(path, content)) continue;
      await this.#write({ path, content: new Uint8Array(content) });
    }
  }

  /** What commands changed since `apply`. */
  async collect(): Promise<WorkspaceChange[]> {
    const found = await this.#scan();
    const changes: WorkspaceChange[] = [];
    for (const [path, { size, modified }] of found) {
      const known = this.#known.get(path);
      if (known?.size === size && known.modified === modified) continue;
      changes.push({ path, content: new Uint8Array(await this.#fs.readFileBuffer(absolute(path))) });
    }
    for (const path of this.#known.keys()) if (!found.has(path)) changes.push({ path, content: null });
    this.#known = found;
    return changes;
  }

  async #write({ path, content }: WorkspaceChange): Promise<void> {
    const target = absolute(path);
    if (content === null) {
      await this.#fs.rm(target, { force: true });
      return;
    }
    await this.#fs.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    await this.#fs.writeFile(target, content);
  }

  async #holds(path: string, content: Uint8Array): Promise<boolean> {
    if (!(await this.#fs.exists(absolute(path)))) return false;
    const stored = await this.#fs.readFileBuffer(absolute(path));
    return stored.byteLength === content.byteLength && stored.every((byte, index) => byte === content[index]);
  }

  async #scan(): Promise<Map<string, FileState>> {
    const found = new Map<string, FileState>();
    const visit = async (folder: string, prefix: string): Promise<void> => {
      for (const name of await this.#fs.readdir(folder)) {
        const { isDirectory, isFile, size, mtime } = await this.#fs.lstat(`${folder}/${name}`);
        if (isDirectory) await visit(`${folder}/${name}`, `${prefix}${name}/`);
        // Links and devices have no place in a store of files.
        else if (isFile) found.set(prefix + name, { size, modified: mtime.getTime() });
      }
    };
    await visit(ROOT, "");
    return found;
  }
}

function absolute(path: string): string {
  return `${ROOT}/${path}`;
}
