import type { Completion } from "../../../protocol/index.js";
import type { CellSettings } from "../cell-runtime.js";
import { CellSession, type OpeningSettings } from "./cell-session.js";
import type { ToolSources } from "./cell-tools.js";
import { CellTrustError } from "./errors.js";
import { PhaseChannel } from "./phase-channel.js";
import type { RunStop } from "./run-stop.js";

/** The part of a run that needs the session. */
export interface NamedUse<T> {
  /** Of the run. It is stopped, too, where the session is reset or closed meanwhile. */
  readonly stop: RunStop;
  /** Called where another run is before it. */
  readonly onWait: () => void;
  readonly job: (phases: PhaseChannel, opening: Promise<CellSession>) => Promise<T>;
}

interface OpenedSession {
  readonly phases: PhaseChannel;
  readonly cell: Promise<CellSession>;
}

/** The session that cells of one name share: opened with the first run, one run after the other. */
export class NamedSession {
  readonly #name: string;
  readonly #tools: ToolSources;
  /** What its cells asked for so far: a session that is opened in its place has all of it at once. */
  #settings: OpeningSettings;
  #opened: OpenedSession | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #current: { readonly stop: RunStop; readonly done: Promise<unknown> } | undefined;
  #waiting = 0;
  #notice: string | undefined;

  constructor(name: string, settings: CellSettings, tools: ToolSources) {
    const { trust, packages, deps, tools: names } = settings;
    this.#name = name;
    this.#tools = tools;
    this.#settings = { trust, packages, deps, tools: names };
  }

  /** Does something with the session when its turn comes. @throws {CellTrustError} @throws what opening throws, and the job. */
  async use<T>(settings: CellSettings, use: NamedUse<T>): Promise<T> {
    const { trust } = this.#settings;
    if (settings.trust !== trust) throw new CellTrustError(this.#name, trust, settings.trust);
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
    if (this.#waiting > 0 || this.#opened === undefined) return null;
    const { session } = await this.#opened.cell;
    return session.state === "idle" ? session.complete(code) : null;
  }

  /** A fresh interpreter, with nothing of what was there: what runs is stopped, what waits runs in the fresh one. */
  async reset(): Promise<void> {
    if (this.#opened === undefined) return;
    await this.close();
    // What is wrong with it, the next run says.
    await this.#openedAfresh().cell.catch(() => undefined);
  }

  /** Ends the session, and what runs in it. It is opened again when it is used. */
  async close(): Promise<void> {
    const opened = this.#opened;
    const current = this.#current;
    this.#opened = undefined;
    current?.stop.now();
    await current?.done;
    const cell = await opened?.cell.catch(() => undefined);
    await cell?.close();
  }

  /** A run that waited may have opened it already. */
  #openedAfresh(): OpenedSession {
    return this.#opened ?? this.#open();
  }

  async #useNow<T>(settings: CellSettings, { stop, job }: NamedUse<T>): Promise<T> {
    stop.beforeCode.throwIfAborted();
    const work = this.#work(settings, job);
    const current = { stop, done: work.catch(() => undefined) };
    this.#current = current;
    try {
      return await work;
    } finally {
      if (this.#current === current) this.#current = undefined;
    }
  }

  async #work<T>(settings: CellSettings, job: NamedUse<T>["job"]): Promise<T> {
    if ((await this.#opened?.cell.catch(() => undefined))?.isDead === true) {
      this.#opened = undefined;
      this.#notice = `The session “${this.#name}” had ended and began afresh: its variables and files are gone.`;
    }
    const { phases, cell } = this.#opened ?? this.#open(settings);
    this.#settings = joined(this.#settings, settings);
    const notified = cell.then((opened) => {
      if (this.#notice !== undefined) opened.notice(this.#notice);
      this.#notice = undefined;
      return opened;
    });
    return job(phases, notified);
  }

  #open(settings: OpeningSettings = this.#settings): OpenedSession {
    const phases = new PhaseChannel();
    const both = joined(this.#settings, settings);
    const cell = CellSession.open(both, { tools: this.#tools, phases });
    const opened = { phases, cell };
    this.#opened = opened;
    cell.catch(() => {
      // The next run tries again.
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }
}

function joined(one: OpeningSettings, other: OpeningSettings): OpeningSettings {
  const both = (first: readonly string[], second: readonly string[]): readonly string[] => [
    ...new Set([...first, ...second]),
  ];
  return {
    trust: one.trust,
    packages: both(one.packages, other.packages),
    deps: both(one.deps, other.deps),
    tools: both(one.tools, other.tools),
  };
}
