import type { Completion, TrustLevel } from "../../../protocol/index.js";
import type { CellSettings } from "../cell-runtime.js";
import type { CellSession } from "./cell-session.js";
import type { ToolSources } from "./cell-tools.js";
import { CellTrustError } from "./errors.js";
import { Opening } from "./opening.js";
import type { PhaseChannel } from "./phase-channel.js";
import type { RunStop } from "./run-stop.js";

/** The part of a run that needs the session. */
export interface NamedUse<T> {
  /** Of the run. It is stopped, too, where the session is reset or closed meanwhile. */
  readonly stop: RunStop;
  /** Called where another run is before it. */
  readonly onWait: () => void;
  readonly job: (phases: PhaseChannel, opening: Promise<CellSession>) => Promise<T>;
}

/** The session that cells of one name share: opened with the first run, one run after the other. */
export class NamedSession {
  readonly #name: string;
  readonly #tools: ToolSources;
  readonly #trust: TrustLevel;
  /** The end of the session of that name before it. */
  readonly #after: Promise<void> | undefined;
  /** The folders that its cells named so far, whether there was a session yet or not. */
  readonly #packages = new Set<string>();
  /** The last one that was open: one that is opened in its place has at once what that was given. */
  #last: CellSession | undefined;
  #opened: Opening | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #current: { readonly stop: RunStop; readonly done: Promise<unknown> } | undefined;
  #waiting = 0;
  #notice: string | undefined;
  #isClosed = false;

  /** @param after - what has to be over before it is opened. It does not reject. */
  constructor(name: string, trust: TrustLevel, tools: ToolSources, after?: Promise<void>) {
    this.#after = after;
    this.#name = name;
    this.#trust = trust;
    this.#tools = tools;
  }

  /** Whether cells that ask for `trust` have to have another: this one has a level of its own, and nothing to do. */
  isLeftFrom(trust: TrustLevel): boolean {
    return trust !== this.#trust && this.#waiting === 0;
  }

  /** Does something with the session when its turn comes. @throws {CellTrustError} @throws what opening throws, and the job. */
  async use<T>(settings: CellSettings, use: NamedUse<T>): Promise<T> {
    if (settings.trust !== this.#trust) throw new CellTrustError(this.#name, this.#trust, settings.trust);
    if (this.#waiting > 0) use.onWait();
    this.#waiting += 1;
    const turn = this.#tail.then(() => this.#useNow(settings, use));
    this.#tail = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Null where it is not open, or at work. */
  async complete(code: string): Promise<Completion | null> {
    const session = this.#opened?.ready?.session;
    return this.#waiting === 0 && session?.state === "idle" ? session.complete(code) : null;
  }

  /** A fresh interpreter, with nothing of what was there: what runs is stopped, what waits runs in the fresh one. */
  async reset(): Promise<void> {
    if (this.#opened === undefined) return;
    await this.#end();
    if (this.#isClosed) return;
    // What is wrong with it, the next run says.
    await this.#openedAfresh().cell.catch(() => undefined);
  }

  /** Ends the session, what runs in it, and what waits for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  /** Ends what runs. The session is opened again when it is used. */
  async #end(): Promise<void> {
    const opened = this.#opened;
    const current = this.#current;
    this.#opened = undefined;
    current?.stop.now();
    await current?.done;
    await opened?.close();
  }

  /** A run that waited may have opened it already. */
  #openedAfresh(): Opening {
    return this.#opened ?? this.#open();
  }

  async #useNow<T>(settings: CellSettings, { stop, job }: NamedUse<T>): Promise<T> {
    if (this.#isClosed) stop.now();
    stop.beforeCode.throwIfAborted();
    const work = this.#work(settings, { stop, job });
    const current = { stop, done: work.catch(() => undefined) };
    this.#current = current;
    try {
      return await work;
    } finally {
      if (this.#current === current) this.#current = undefined;
    }
  }

  async #work<T>(settings: CellSettings, { stop, job }: Pick<NamedUse<T>, "stop" | "job">): Promise<T> {
    for (const folder of settings.packages) this.#packages.add(folder);
    if (this.#opened?.ready?.isDead === true) {
      this.#opened = undefined;
      this.#notice = `The session “${this.#name}” had ended and began afresh: its variables and files are gone.`;
    }
    const taken = this.#opened;
    const { phases, cell } = taken ?? this.#open(settings);
    const opening = cell.catch((error: unknown) => {
      // It was opened for a run that was stopped: what that one asked for is no reason for this one to fail.
      if (taken === undefined || stop.beforeCode.aborted) throw error;
      return (this.#opened ?? this.#open(settings)).cell;
    });
    const notified = opening.then((opened) => {
      if (this.#notice !== undefined) opened.notice(this.#notice);
      this.#notice = undefined;
      return opened;
    });
    return job(phases, notified);
  }

  /** @param asked - what a cell wants that is not known to be had: where it fails, it fails for that cell alone. */
  #open(asked: Pick<CellSettings, "deps" | "tools"> = { deps: [], tools: [] }): Opening {
    const { deps = [], tools = [] } = this.#last ?? {};
    const settings = {
      trust: this.#trust,
      packages: [...this.#packages],
      deps: [...new Set([...deps, ...asked.deps])],
      tools: [...new Set([...tools, ...asked.tools])],
    };
    const opened = new Opening(settings, this.#tools, this.#after);
    this.#opened = opened;
    opened.cell.then(
      (cell) => {
        this.#last = cell;
      },
      () => {
        // The next run tries again.
        if (this.#opened === opened) this.#opened = undefined;
      },
    );
    return opened;
  }
}
