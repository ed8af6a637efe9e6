import type { CommandFiles } from "../../commands/index.js";
import type { Executor, UnstoredEntry } from "../../executor/index.js";
import type { OutputChunk, WorkspaceChange } from "../../protocol/index.js";
import type { WorkspaceMirror } from "../../workspace/index.js";
import { noticesOf, refusalsOf } from "./workspace-notices.js";

/** Code that waits for a command, or for a session inside its own. */
export interface WaitingCode {
  /** The files of its interpreter. */
  readonly mirror: WorkspaceMirror | undefined;
  /** Tells the person, with the result of the run. */
  notice(text: string): void;
  /** Takes what the page has it give out, as if the code had. */
  give(chunk: OutputChunk): void;
}

export interface CommandWorkspaceParts {
  readonly interpreter: Pick<Executor, "collectFiles" | "applyFiles">;
  /** Undefined when the page made the call. */
  readonly waiting: () => WaitingCode | undefined;
  readonly newMirror: () => WorkspaceMirror;
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
    const admitted = waiting()?.mirror?.admitted;
    await this.collect();
    if (all) this.#mirror = newMirror();
    this.#mirror ??= newMirror();
    // What a person let the code have its commands may have.
    for (const version of admitted ?? []) this.#mirror.admit(version);
    return this.#mirror.takeChanges();
  }

  async put(changes: readonly WorkspaceChange[]): Promise<void> {
    if (this.#mirror === undefined || changes.length === 0) return;
    this.#tell(noticesOf(await this.#mirror.applyChanges(changes)));
    await this.#give();
  }

  /** Stores what the waiting code has written. @returns what it has beside files, which is kept nowhere. */
  async collect(): Promise<readonly UnstoredEntry[]> {
    const { interpreter, waiting } = this.#parts;
    const mirror = waiting()?.mirror;
    if (mirror === undefined) return [];
    const { files, fileProblems, unstored } = await interpreter.collectFiles();
    this.#tell([...refusalsOf(fileProblems), ...noticesOf(await mirror.applyChanges(files))]);
    return unstored;
  }

  /** Gives the waiting code what others have stored, and loses nothing that it wrote itself meanwhile. */
  async exchange(): Promise<void> {
    await this.collect();
    await this.#give();
    const withheld = (await this.#parts.waiting()?.mirror?.withheld()) ?? [];
    this.#tell(
      withheld.map(
        ({ path, trust }) =>
          `${path} was written at trust level ${trust} meanwhile: the code that runs keeps what it has of it, and a person is asked before the next run.`,
      ),
    );
  }

  async #give(): Promise<void> {
    const { interpreter, waiting } = this.#parts;
    const mirror = waiting()?.mirror;
    if (mirror === undefined) return;
    const forCode = await mirror.takeChanges();
    if (forCode.length === 0) return;
    try {
      this.#tell(refusalsOf(await interpreter.applyFiles(forCode)));
    } catch (error) {
      // The code went on without them; the next run gets them.
      mirror.notTaken(forCode);
      throw error;
    }
  }

  #tell(notices: readonly string[]): void {
    for (const notice of notices) this.#parts.waiting()?.notice(notice);
  }
}
