import { messageOf, type ShellProgram, type ShellRun } from "../../src/protocol/index.js";
import type { ShellWorkspace } from "./shell-workspace.js";
import { runWasiProgram, type WasiResult } from "./wasi-program.js";

/** A program that cannot be run, for a reason that its author can mend. */
class ProgramError extends Error {}

/** Runs WASI programs on the workspace, and compiles each once. */
export class WasiPrograms {
  readonly #workspace: ShellWorkspace;
  /** By name: the page sends the bytes of a program that is not the workspace's with its first run only. */
  readonly #modules = new Map<string, WebAssembly.Module>();

  constructor(workspace: ShellWorkspace) {
    this.#workspace = workspace;
  }

  async run({ command, argv, stdin, env }: ShellRun, program: ShellProgram): Promise<Omit<WasiResult, "files">> {
    const files = await this.#workspace.read();
    const module = await this.#module(command, { program, files });
    try {
      const { files: left, ...outcome } = await runWasiProgram({ module, args: [command, ...argv], env, stdin, files });
      await this.#workspace.replace(left);
      return outcome;
    } catch (error) {
      throw new ProgramError(`The program ${command} failed: ${messageOf(error)}`);
    }
  }

  async #module(
    command: string,
    { program, files }: { readonly program: ShellProgram; readonly files: ReadonlyMap<string, Uint8Array> },
  ): Promise<WebAssembly.Module> {
    if (program.kind === "stored") {
      const stored = files.get(program.path);
      if (stored === undefined) throw new ProgramError(`There is no program /workspace/${program.path}.`);
      return compile(command, new Uint8Array(stored));
    }
    const known = this.#modules.get(command);
    if (known !== undefined) return known;
    if (program.bytes === null) throw new ProgramError(`The bytes of ${command} never came.`);
    const module = await compile(command, program.bytes);
    this.#modules.set(command, module);
    return module;
  }
}

async function compile(command: string, bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) {
    throw new ProgramError(`${command} is no WebAssembly program: ${messageOf(error)}`);
  }
}
