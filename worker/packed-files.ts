import { inflateSync } from "fflate";
import type { PyodideAPI } from "pyodide";

import { parseJson } from "../src/protocol/index.js";
import { Crc32 } from "./content/crc32.js";

type FileSystem = PyodideAPI["FS"];

/** A file of an archive, as `_placing.py` writes it. */
type Row = readonly [path: string, begin: number, packed: number, size: number, checksum: number, isDeflated: boolean];

/** A file in Emscripten's memory, as far as it is used. */
interface MemoryNode {
  contents: Uint8Array;
  usedBytes: number;
}

/** A folder in Emscripten's memory, as far as it is used. */
interface MemoryFolder {
  readonly contents: object;
  readonly node_ops: { mknod(parent: object, name: string, mode: number, device: number): object };
}

/** Bytes of Python, lent for the time of a call. */
interface PythonBytes {
  getBuffer(type: "u8"): { readonly data: Uint8Array; release(): void };
}

/** A file that all may read, and its owner may write. */
const NEW_FILE = 0o100644;

/** What Emscripten answers a read that fails: EIO. */
const READ_FAILED = 29;

/**
 * Puts files of archives into Python's file system, each of which is unpacked when somebody reads it: of most packages
 * a few files are ever read. Python has looked through the archive's directory, and the page has compared its hash.
 */
export class PackedFiles {
  readonly #fs: FileSystem;

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  /** As `Placer` of `_placing.py` says. */
  readonly place = (root: string, content: PythonBytes, files: string): string | undefined => {
    const archive = copied(content);
    const placed: string[] = [];
    try {
      const folders = new Map<string, MemoryFolder>();
      for (const row of rowsIn(files)) {
        const path = `${root}/${row[0]}`;
        const end = path.lastIndexOf("/");
        const folder = path.slice(0, end);
        const parent = folders.get(folder) ?? this.#folder(folder);
        folders.set(folder, parent);
        placed.push(path);
        this.#put(this.#emptyFile(parent, path, path.slice(end + 1)), archive, row);
      }
      return undefined;
    } catch (error) {
      for (const path of placed) this.#remove(path);
      return `the file system of Python refused a file (${String(error)})`;
    }
  };

  #folder(path: string): MemoryFolder {
    this.#fs.mkdirTree(path);
    const { node } = this.#fs.lookupPath(path, { follow: true });
    if (!isFolder(node)) throw new Error("it is no folder in memory");
    return node;
  }

  #emptyFile(parent: MemoryFolder, path: string, name: string): MemoryNode {
    // As `FS.mknod` does it, which would look for the folder from the root: for thousands of files that is most of the work.
    const isNew = !Object.hasOwn(parent.contents, name);
    if (!isNew) this.#fs.writeFile(path, new Uint8Array());
    const node = isNew ? parent.node_ops.mknod(parent, name, NEW_FILE, 0) : this.#fs.lookupPath(path, {}).node;
    if (!isOfMemory(node)) throw new Error("it is no file in memory");
    return node;
  }

  #put(node: MemoryNode, archive: Uint8Array, row: Row): void {
    const [, , , size] = row;
    if (size === 0) return;
    node.usedBytes = size;
    Object.defineProperty(node, "contents", {
      configurable: true,
      enumerable: true,
      get: () => {
        const contents = this.#unpacked(archive, row);
        hold(node, contents);
        return contents;
      },
      set: (contents: Uint8Array) => {
        hold(node, contents);
      },
    });
  }

  #remove(path: string): void {
    const { exists, object } = this.#fs.analyzePath(path);
    // The one that was refused may be a folder.
    if (exists && this.#fs.isFile(object.mode)) this.#fs.unlink(path);
  }

  #unpacked(archive: Uint8Array, [, begin, packed, size, checksum, isDeflated]: Row): Uint8Array {
    const data = archive.subarray(begin, begin + packed);
    const contents = isDeflated ? inflated(data, size) : data.slice();
    if (contents?.length !== size || new Crc32().add(contents).value !== checksum)
      throw new this.#fs.ErrnoError(READ_FAILED);
    return contents;
  }
}

function rowsIn(files: string): readonly Row[] {
  const rows: unknown = parseJson(files);
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new TypeError("the list of files is none");
  return rows;
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row)) return false;
  const [path, begin, packed, size, checksum, isDeflated] = row as unknown[];
  const areNumbers = [begin, packed, size, checksum].every((part) => typeof part === "number");
  return typeof path === "string" && areNumbers && typeof isDeflated === "boolean";
}

function isOfMemory(node: object): node is MemoryNode {
  return "usedBytes" in node && "contents" in node;
}

function isFolder(node: object): node is MemoryFolder {
  return "contents" in node && !("usedBytes" in node) && "node_ops" in node;
}

function hold(node: MemoryNode, contents: Uint8Array): void {
  Object.defineProperty(node, "contents", { configurable: true, enumerable: true, writable: true, value: contents });
}

/** No more than so many bytes; undefined for what is damaged. */
function inflated(data: Uint8Array, size: number): Uint8Array | undefined {
  try {
    return inflateSync(data, { out: new Uint8Array(size) });
  } catch {
    return undefined;
  }
}

function copied(content: PythonBytes): Uint8Array {
  const buffer = content.getBuffer("u8");
  try {
    return buffer.data.slice();
  } finally {
    buffer.release();
  }
}
