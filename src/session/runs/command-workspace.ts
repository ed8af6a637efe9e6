import type { CommandFiles } from "../../commands/index.js";
import type { Executor } from "../../executor/index.js";
import type { WorkspaceChange } from "../../protocol/index.js";
import type { WorkspaceMirror } from "../../workspace/index.js";
import { noticesOf, refusalsOf } from "./workspace-notices.js";

export interface CommandWorkspaceParts {
  readonly executor: Pick<Executor, "collectFiles" | "applyFiles">;
  /** The mirror of the interpreter whose run waits; undefined when the page made the call. */
  readonly waiting: () => WorkspaceMirror | undefined;
  readonly newMirror: () => WorkspaceMirror;
  /** Tells the person, with the result of the run. */
  readonly notice: (text: string) => void;
}

/**
 * The files that commands, and sessions inside this one, work on: before a command the stored files and what the waiting
 * code has written since its run began, after it what the command wrote, which the code finds when its call returns.
 */
export class CommandWorkspace implements CommandFiles {
  readonly #parts: CommandWorkspaceParts;
  #mirror: WorkspaceMirror | undefined;

  constructor(parts: CommandWorkspaceParts) {
    this.#parts = parts;
  }

  async take({ all }: { readonly all: boolean }): Promise<readonly WorkspaceChange[]> {
    const { waiting, newMirror } = this.#parts;
    const interpreter = waiting();
    await this.collect();
    if (all) this.#mirror = newMirror();
    this.#mirror ??= newMirror();
    // What a person let the code have its commands may have.
    for (const version of interpreter?.admitted ?? []) this.#mirror.admit(version);
    return this.#mirror.takeChanges();
  }

  async put(changes: readonly WorkspaceChange[]): Promise<void> {
    if (this.#mirror === undefined || changes.length === 0) return;
    this.#tell(noticesOf(await this.#mirror.applyChanges(changes)));
    await this.#give();
  }

  /** Stores what the waiting code has written. */
  async collect(): Promise<void> {
    const { executor, waiting } = this.#parts;
    const interpreter = waiting();
    if (interpreter === undefined) return;
    const { files, fileProblems } = await executor.collectFiles();
    this.#tell([...refusalsOf(fileProblems), ...noticesOf(await interpreter.applyChanges(files))]);
  }

  /** Gives the waiting code what others have stored, and loses nothing that it wrote itself meanwhile. */
  async exchange(): Promise<void> {
    await this.collect();
    await this.#give();
    const withheld = (await this.#parts.waiting()?.withheld()) ?? [];
    this.#tell(
      withheld.map(
        ({ path, trust }) =>
          `${path} was written at trust level ${trust} meanwhile: the code that runs keeps what it has of it, and a person is asked before the next run.`,
      ),
    );
  }

  async #give(): Promise<void> {
    const { executor, waiting } = this.#parts;
    const interpreter = waiting();
    if (interpreter === undefined) return;
    const forCode = await interpreter.takeChanges();
    if (forCode.length === 0) return;
    try {
      this.#tell(refusalsOf(await executor.applyFiles(forCode)));
    } catch (error) {
      // The code went on without them; the next run gets them.
      interpreter.notTaken(forCode);
      throw error;
    }
  }

  #tell(notices: readonly string[]): void {
    for (const notice of notices) this.#parts.notice(notice);
  }
}
