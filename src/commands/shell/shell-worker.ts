import type { SpawnedWorker, WorkerHost } from "../../executor/index.js";
import {
  firstMessage,
  messageOf,
  ShellReport,
  type ShellAnswer,
  type ShellOrder,
  type ShellRun,
} from "../../protocol/index.js";
import { CommandBrokeError, CommandEndedError } from "../errors.js";

/** A request of a command. */
export type CommandRequest = Pick<Extract<ShellReport, { kind: "fetch" }>, "url" | "method" | "headers" | "body">;

export type CommandResponse = Omit<Extract<ShellAnswer, { kind: "fetched" }>, "kind" | "id">;

/** Makes a request of a command. @throws where that may not be, or did not work. */
export type CommandFetch = (request: CommandRequest, signal: AbortSignal) => Promise<CommandResponse>;

type Ended = Extract<ShellReport, { kind: "ended" }>;

interface CurrentRun {
  readonly id: number;
  readonly command: string;
  resolve(ended: Ended): void;
  reject(error: Error): void;
}

/** A worker with the shell in it, from its start to its end. One command at a time. */
export class ShellWorker {
  readonly commands: readonly string[];
  readonly #spawned: SpawnedWorker;
  readonly #fetch: CommandFetch;
  readonly #ended = new AbortController();
  #current: CurrentRun | undefined;
  #lastId = 0;

  private constructor(spawned: SpawnedWorker, commands: readonly string[], fetch: CommandFetch) {
    this.#spawned = spawned;
    this.commands = commands;
    this.#fetch = fetch;
    spawned.port.onmessage = ({ data }: MessageEvent<unknown>) => {
      this.#hear(data);
    };
    const fail = ({ message }: Error): void => {
      this.#break(`its worker failed: ${message}`);
    };
    void spawned.failed.then(fail);
    void spawned.removed.then(fail);
  }

  /** @throws {WorkerStartError} @throws {CspBlockedError} @throws {CommandBrokeError} */
  static async start(host: WorkerHost, fetch: CommandFetch): Promise<ShellWorker> {
    // Larger than the rest of the library, and needed by nobody who calls no command.
    const { default: source } = await import("virtual:shell-worker");
    const spawned = await host.spawn(source);
    try {
      return new ShellWorker(spawned, await firstMessage(spawned, commandsIn, notThere), fetch);
    } catch (error) {
      spawned.terminate();
      throw error;
    }
  }

  /** Whether it runs nothing any more. */
  get isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  /** @throws {CommandBrokeError} @throws {CommandEndedError} */
  run(order: Omit<ShellRun, "kind" | "id">): Promise<Ended> {
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    this.#current = { id, command: order.command, resolve, reject };
    if (this.isOver) this.#settle((current) => current.reject(new CommandEndedError(order.command, "it was given up")));
    else this.#send({ kind: "run", id, ...order });
    return promise;
  }

  /** Ends the worker at once, and with it the command that runs. */
  end(why: string): void {
    this.#close();
    this.#settle((current) => {
      current.reject(new CommandEndedError(current.command, why));
    });
  }

  #break(reason: string): void {
    this.#close();
    this.#settle((current) => {
      current.reject(new CommandBrokeError(current.command, reason));
    });
  }

  #close(): void {
    if (this.isOver) return;
    this.#ended.abort();
    this.#spawned.terminate();
  }

  #settle(how: (current: CurrentRun) => void): void {
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) how(current);
  }

  #hear(data: unknown): void {
    const { success, data: report } = ShellReport.safeParse(data);
    if (!success) {
      this.#break("its worker sent a message of unknown form");
      return;
    }
    const current = this.#current;
    if (current === undefined || report.kind === "ready") return;
    if (report.kind === "fetch") void this.#answer(report.id, () => this.#fetched(report));
    else if (report.kind === "want-sqlite") void this.#answer(report.id, sqliteScript);
    else if (report.id === current.id) {
      this.#settle((run) => {
        if (report.kind === "ended") run.resolve(report);
        else run.reject(new CommandBrokeError(run.command, report.reason));
      });
    }
  }

  async #fetched({ url, method, headers, body }: CommandRequest): Promise<Answer> {
    return { kind: "fetched", ...(await this.#fetch({ url, method, headers, body }, this.#ended.signal)) };
  }

  async #answer(id: number, work: () => Promise<Answer>): Promise<void> {
    try {
      this.#send({ id, ...(await work()) });
    } catch (error) {
      this.#send({ id, kind: "refused", reason: messageOf(error) });
    }
  }

  #send(order: ShellOrder): void {
    if (!this.isOver) this.#spawned.port.postMessage(order);
  }
}

type Answer = ShellAnswer extends infer Each ? (Each extends { id: number } ? Omit<Each, "id"> : never) : never;

/** Larger than the shell, and needed by nobody who does not call `sqlite3`. */
async function sqliteScript(): Promise<Answer> {
  const { default: source } = await import("virtual:sqlite-script");
  return { kind: "sqlite", source };
}

/** The commands of a worker that is there. */
function commandsIn(data: unknown): readonly string[] | undefined {
  const { data: report } = ShellReport.safeParse(data);
  return report?.kind === "ready" ? report.commands : undefined;
}

function notThere(why: string): CommandBrokeError {
  return new CommandBrokeError("sh", `its worker ${why}`);
}
