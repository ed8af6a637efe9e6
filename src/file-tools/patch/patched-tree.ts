import { decodeLargeText } from "../../storage/index.js";
import { PatchTooLargeError } from "./errors.js";
import type { PatchFiles } from "./patch-files.js";

/** Bytes of a file that is changed, and of all files that a patch changes. */
const LARGEST_FILE = 16 * 2 ** 20;
const LARGEST_FILES = 64 * 2 ** 20;

/** Why something cannot be read, in the words of the protocol. */
export const MISSING = "No such file or directory (os error 2)";
export const IS_FOLDER = "Is a directory (os error 21)";
export const NO_TEXT = "stream did not contain valid UTF-8";

export type FileState =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "fault"; readonly fault: string };

/** The files as they are after the hunks so far. Nothing is written before `write`. */
export class PatchedTree {
  readonly #files: PatchFiles;
  /** What is to be written, by path; null deletes. */
  readonly #changed = new Map<string, string | null>();
  /** Of every file that was looked at. */
  readonly #versions = new Map<string, string | null>();
  /** Folders in which files are to be. */
  readonly #folders = new Set<string>();
  #size = 0;

  constructor(files: PatchFiles) {
    this.#files = files;
  }

  /** @throws {PatchTooLargeError} */
  async read(path: string): Promise<FileState> {
    const changed = this.#changed.get(path);
    if (changed !== undefined) return changed === null ? fault(MISSING) : { kind: "text", text: changed };
    const found = await this.#find(path);
    if (found === undefined) return fault(MISSING);
    if (found === "folder") return fault(IS_FOLDER);
    this.#count(path, found.size);
    const file = await this.#files.read(path);
    if (file === undefined) return fault(MISSING);
    // Of what is patched: something else may have written it since it was found.
    this.#versions.set(path, file.version);
    const text = await decodeLargeText(file.content);
    return text === null ? fault(NO_TEXT) : { kind: "text", text };
  }

  /** What is there now. */
  async kindOf(path: string): Promise<"file" | "folder" | "nothing"> {
    if (path === "" || this.#folders.has(path)) return "folder";
    const changed = this.#changed.get(path);
    if (changed !== undefined) return changed === null ? "nothing" : "file";
    const found = await this.#find(path);
    return found === undefined ? "nothing" : found === "folder" ? "folder" : "file";
  }

  /** Whether one of the folders of a path is a file. */
  async isBelowFile(path: string): Promise<boolean> {
    for (const folder of foldersOf(path)) if ((await this.kindOf(folder)) === "file") return true;
    return false;
  }

  /** Null deletes. @throws {PatchTooLargeError} */
  put(path: string, text: string | null): void {
    this.#count(path, text?.length ?? 0);
    this.#changed.set(path, text);
    if (text !== null) for (const folder of foldersOf(path)) this.#folders.add(folder);
  }

  /** All or nothing. @throws {WorkspaceConflictError} */
  async write(): Promise<void> {
    const versions = new Map([...this.#versions].filter(([path]) => this.#changed.has(path)));
    await this.#files.writeAll(this.#changed, versions);
  }

  async #find(path: string): ReturnType<PatchFiles["find"]> {
    const found = await this.#files.find(path);
    if (!this.#versions.has(path) && found !== "folder") this.#versions.set(path, found?.version ?? null);
    return found;
  }

  #count(path: string, size: number): void {
    this.#size += size;
    if (size <= LARGEST_FILE && this.#size <= LARGEST_FILES) return;
    throw new PatchTooLargeError(
      `${path.slice(0, 200)} with ${String(size)} bytes is too large: a patch changes files of ` +
        `${String(LARGEST_FILE)} bytes at most, and of ${String(LARGEST_FILES)} together. Change it in Python.`,
    );
  }
}

function fault(text: string): FileState {
  return { kind: "fault", fault: text };
}

/** `a` and `a/b` of `a/b/c`. */
function* foldersOf(path: string): Generator<string> {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) yield path.slice(0, end);
}
