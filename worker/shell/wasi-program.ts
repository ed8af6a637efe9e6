import {
  ConsoleStdout,
  Directory,
  File,
  OpenFile,
  PreopenDirectory,
  WASI,
  type Inode,
} from "@bjorn3/browser_wasi_shim";

import { MAX_COMMAND_OUTPUT } from "../../src/protocol/index.js";

/** One start of a program. */
export interface WasiRun {
  readonly module: WebAssembly.Module;
  /** Begins with the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  /** Files by their path below the workspace. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface WasiResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
  /** All files as the program left them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Runs a program of WASI preview 1 on a copy of the workspace's files. It has a clock, randomness, its arguments,
 * environment and standard streams, and the files below `/workspace`, which is also where it stands; it has no network.
 *
 * @throws {WebAssembly.LinkError} when it asks for more than WASI preview 1 has.
 * @throws {WebAssembly.RuntimeError} when it trapped.
 */
export async function runWasiProgram({ module, args, env, stdin, files }: WasiRun): Promise<WasiResult> {
  const stdout = new CappedOutput();
  const stderr = new CappedOutput();
  const root = treeOf(files);
  const wasi = new WASI(
    [...args],
    Object.entries(env).map(([name, value]) => `${name}=${value}`),
    [
      new OpenFile(new File(stdin)),
      new ConsoleStdout((piece) => {
        stdout.write(piece);
      }),
      new ConsoleStdout((piece) => {
        stderr.write(piece);
      }),
      // A program finds a relative path below ".", an absolute one below the longest name that it begins with.
      new PreopenDirectory(".", root),
      new PreopenDirectory("/workspace", root),
    ],
  );
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const { memory, _start } = exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof _start !== "function") {
    throw new TypeError("it is no WASI program: one exports `memory` and `_start`");
  }
  const exitCode = wasi.start({ exports: { memory, _start: () => Reflect.apply(_start, undefined, []) as unknown } });
  return { exitCode, stdout: stdout.bytes(), stderr: stderr.bytes(), files: filesOf(root) };
}

/** What a program wrote. */
class CappedOutput {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #size = 0;

  write(piece: Uint8Array): void {
    this.#size += piece.byteLength;
    if (this.#size > MAX_COMMAND_OUTPUT) throw new RangeError(`it wrote more than ${String(MAX_COMMAND_OUTPUT)} bytes`);
    // The shim hands out a view of the program's memory.
    this.#pieces.push(new Uint8Array(piece));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#size);
    let end = 0;
    for (const piece of this.#pieces) {
      all.set(piece, end);
      end += piece.byteLength;
    }
    return all;
  }
}

function treeOf(files: ReadonlyMap<string, Uint8Array>): Map<string, Inode> {
  const root = new Map<string, Inode>();
  for (const [path, content] of files) {
    const names = path.split("/");
    const name = names.pop() ?? path;
    let folder = root;
    for (const part of names) {
      const known = folder.get(part);
      const inner = known instanceof Directory ? known : new Directory(new Map());
      if (inner !== known) folder.set(part, inner);
      folder = inner.contents;
    }
    folder.set(name, new File(content));
  }
  return root;
}

function filesOf(folder: ReadonlyMap<string, Inode>, prefix = ""): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [name, inode] of folder) {
    if (inode instanceof File) files.set(prefix + name, inode.data);
    else if (inode instanceof Directory)
      for (const [path, content] of filesOf(inode.contents, `${prefix}${name}/`)) files.set(path, content);
  }
  return files;
}
