import type { CellSettings } from "../cell-runtime.js";
import type { CellSession, OpeningSettings } from "./cell-session.js";
import type { PageTools, ToolSources } from "./cell-tools.js";
import { Opening } from "./opening.js";

export interface SessionPoolOptions {
  /** Interpreters that may be there at once. */
  readonly size: number;
  /** Milliseconds after which an interpreter ends that waits for a run. */
  readonly idle: number;
  readonly tools: ToolSources;
}

interface Seat {
  /** What its session was opened for; undefined while there is none. */
  key: string | undefined;
  /** What was registered then: its functions stay those of that time. */
  registered: PageTools | undefined;
  lent: Opening | undefined;
  isBusy: boolean;
  /** The end of the session before. */
  closing: Promise<void>;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
}

interface Waiter {
  readonly settings: OpeningSettings;
  readonly take: (seat: Seat) => void;
}

/**
 * The sessions of cells that are alone. Each serves one run: when it has, it is closed, and one like it is opened in its
 * place while the reader looks at the result. So nothing of a run is there for the next, neither variables nor files nor
 * what code has done to Python.
 *
 * There is no spare beside them: the one that is opened ahead is that. A `reset()` in its place would take as long (0.5 s on
 * a busy machine, a fifth less where there are packages), and leave files, artifacts and skills to be taken away one by one.
 */
export class SessionPool {
  readonly #options: SessionPoolOptions;
  readonly #seats: readonly Seat[];
  readonly #waiting: Waiter[] = [];
  #isClosed = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#seats = Array.from({ length: options.size }, () => ({
      key: undefined,
      registered: undefined,
      lent: undefined,
      isBusy: false,
      closing: Promise.resolve(),
      idleTimer: undefined,
    }));
  }

  /**
   * Lends a session to a job.
   *
   * @param onWait - called where all are lent, and the job waits for its turn.
   * @throws what the job throws, and the signal's reason while it waits.
   */
  async use<T>(
    settings: OpeningSettings,
    { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
    job: (lent: Opening) => Promise<T>,
  ): Promise<T> {
    const seat = this.#take(settings) ?? (await this.#wait(settings, signal, onWait));
    try {
      return await job(seat.lent ?? this.#open(seat, settings));
    } finally {
      this.#giveBack(seat, settings);
    }
  }

  /** A session for such cells that waits for a run. */
  idle(settings: OpeningSettings): CellSession | undefined {
    return this.#seats.find((each) => !each.isBusy && this.#suits(each, settings))?.lent?.ready;
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      this.#seats.map((seat) => {
        this.#end(seat);
        return seat.closing;
      }),
    );
  }

  /** The seat with the session that suits best; undefined where all are lent. */
  #take(settings: OpeningSettings): Seat | undefined {
    const free = this.#seats.filter(({ isBusy }) => !isBusy);
    const seat =
      free.find((each) => this.#suits(each, settings)) ?? free.find((each) => each.key === undefined) ?? free.at(0);
    if (seat === undefined) return undefined;
    seat.isBusy = true;
    clearTimeout(seat.idleTimer);
    if (!this.#suits(seat, settings)) {
      this.#end(seat);
      this.#open(seat, settings);
    }
    return seat;
  }

  /** Whether its session is one for such cells, with the functions that the page has registered now. */
  #suits(seat: Seat, settings: OpeningSettings): boolean {
    if (seat.key !== keyOf(settings)) return false;
    const now = this.#options.tools.registered();
    return settings.tools.every((name) => seat.registered?.get(name) === now.get(name));
  }

  #wait(settings: OpeningSettings, signal: AbortSignal, onWait: () => void): Promise<Seat> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        settings,
        take: (seat) => {
          signal.removeEventListener("abort", leave);
          resolve(seat);
        },
      };
      const leave = (): void => {
        const place = this.#waiting.indexOf(waiter);
        if (place !== -1) this.#waiting.splice(place, 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiter);
      onWait();
    });
  }

  /** A session that was used is replaced. One that still opens, for a run that was stopped, is for the next. */
  #giveBack(seat: Seat, settings: OpeningSettings): void {
    const { lent } = seat;
    const cell = lent?.ready;
    const isFresh = lent !== undefined && (cell === undefined || !(cell.isUsed || cell.isDead));
    if (!isFresh) this.#end(seat);
    seat.isBusy = false;
    const next = this.#waiting.shift();
    const taken = next === undefined ? undefined : this.#take(next.settings);
    if (next !== undefined && taken !== undefined) {
      next.take(taken);
      return;
    }
    // One that could not be opened is not tried again before somebody wants it.
    if (!isFresh && cell !== undefined) this.#open(seat, settings);
    this.#endWhenIdle(seat);
  }

  #open(seat: Seat, settings: OpeningSettings): Opening {
    const { tools } = this.#options;
    const registered = new Map(tools.registered());
    const lent = new Opening(settings, { ...tools, registered: () => registered }, seat.closing);
    seat.key = keyOf(settings);
    seat.registered = registered;
    seat.lent = lent;
    const forget = (): void => {
      if (seat.lent === lent) this.#forget(seat);
    };
    lent.cell.then(({ session }) => {
      session.onStateChange((state) => {
        if (state === "closed") forget();
      });
    }, forget);
    if (this.#isClosed) this.#end(seat);
    return lent;
  }

  #endWhenIdle(seat: Seat): void {
    clearTimeout(seat.idleTimer);
    seat.idleTimer = setTimeout(() => {
      if (!seat.isBusy) this.#end(seat);
    }, this.#options.idle);
  }

  #end(seat: Seat): void {
    clearTimeout(seat.idleTimer);
    const { lent, closing } = seat;
    this.#forget(seat);
    if (lent === undefined) return;
    const ended = lent.close();
    seat.closing = closing.then(() => ended);
  }

  #forget(seat: Seat): void {
    seat.key = undefined;
    seat.registered = undefined;
    seat.lent = undefined;
  }
}

/** The same for cells that can share a session, one after the other. */
function keyOf({ trust, packages, deps, tools }: OpeningSettings): string {
  return JSON.stringify([trust, packages, [...new Set(deps)].sort(), [...new Set(tools)].sort()]);
}

/** What a session is opened for, of what a cell asks for. */
export function openingOf({ trust, packages, deps, tools }: CellSettings): OpeningSettings {
  return { trust, packages, deps, tools };
}
