import type { WorkerHost } from "../../executor/index.js";
import { OnDemand, type ShellProgram, type WorkspaceChange } from "../../protocol/index.js";
import type { CommandCall, CommandHost, CommandResult } from "../command-host.js";
import { CommandEndedError, CommandNotFoundError } from "../errors.js";
import { withEndOfOptions } from "./end-of-options.js";
import { programAddress } from "./program-address.js";
import { ShellWorker, type CommandFetch } from "./shell-worker.js";

/** The files that commands work on. */
export interface CommandFiles {
  /** What changed since the last command. With `all` the worker has none of them yet. */
  take(options: { readonly all: boolean }): Promise<readonly WorkspaceChange[]>;
  /** Takes over what a command changed. */
  put(changes: readonly WorkspaceChange[]): Promise<void>;
}

export interface ShellOptions {
  /** Where the worker is spawned. */
  readonly host: WorkerHost;
  readonly files: CommandFiles;
  /** Makes the requests of `curl`. */
  readonly fetch: CommandFetch;
  /** Fetches a WASI program. @throws when it cannot be had. */
  readonly fetchProgram: (url: string, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The commands of a shell and WASI programs, in a worker that the first of them starts, and that is ended with a
 * command that is given up: nothing else stops one that computes.
 */
export class Shell implements CommandHost {
  readonly #options: ShellOptions;
  readonly #worker: OnDemand<ShellWorker>;
  /** What the worker that runs now has. */
  #hasFiles = false;
  #programs = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#worker = new OnDemand(() => {
      this.#hasFiles = false;
      this.#programs = new Set();
      return ShellWorker.start(options.host, options.fetch);
    });
  }

  /** One after the other: they share the files. */
  run(call: CommandCall): Promise<CommandResult> {
    const result = this.#last.then(() => this.#runNow(call));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends the worker, if there is one, and what runs there. A later command starts another. */
  stop(why: string): void {
    this.#worker.stop((worker) => {
      worker.end(why);
    });
  }

  async #runNow(call: CommandCall): Promise<CommandResult> {
    const { command, stdin, env, signal, cwd = "/workspace", isMerged = false, onBegin } = call;
    const throwIfGivenUp = (): void => {
      if (signal.aborted) throw new CommandEndedError(command, "it was given up before it began");
    };
    throwIfGivenUp();
    const worker = await this.#worker.running();
    throwIfGivenUp();
    const end = (): void => {
      worker.end("it was given up");
    };
    signal.addEventListener("abort", end);
    try {
      const program = await this.#programFor(command, signal);
      if (program === null && !worker.commands.includes(command)) {
        throw new CommandNotFoundError(command, [...worker.commands, "wasi:<address of a program>"]);
      }
      const files = await this.#options.files.take({ all: !this.#hasFiles });
      const argv = withEndOfOptions(call);
      onBegin?.();
      const ended = worker.run({ command, argv, stdin, env: Object.fromEntries(env), cwd, isMerged, files, program });
      this.#hasFiles = true;
      if (program?.kind === "bytes") this.#programs.add(command);
      const { exitCode, stdout, stderr, files: changes } = await ended;
      await this.#options.files.put(changes);
      return { exitCode, stdout, stderr };
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  async #programFor(command: string, signal: AbortSignal): Promise<ShellProgram | null> {
    const address = programAddress(command);
    if (address === undefined) return null;
    if (address.kind === "stored") return address;
    if (this.#programs.has(command)) return { kind: "bytes", bytes: null };
    return { kind: "bytes", bytes: await this.#options.fetchProgram(address.url, signal) };
  }
}
