/** Milliseconds after an interrupt at which it is sent again, and at which code that resists is killed. */
export const REPEAT_AFTER = 250;
export const KILL_AFTER = 1000;

/** Milliseconds that a worker may take to begin a run, and to hand in its reply after the code has ended. */
const SLACK = 30_000;

export interface RunWatchOptions {
  /** Milliseconds the code may run; null for no limit. */
  readonly timeout: number | null;
  /** Tells the code to stop; the worker does so by itself at its deadline. */
  readonly interrupt: () => void;
  /** The code is being stopped, for whichever reason. Called once for a stop and once for the deadline. */
  readonly onInterrupt: () => void;
  readonly kill: (reason: "timeout" | StopReason) => void;
}

/** Why the page stops a run: somebody wants it, or its output is too much. */
export type StopReason = "stopped" | "output";

/**
 * Watches one run from the page's side. The worker's own clock interrupts the
 * code at its deadline; this one interrupts it again, and kills it, if it resists.
 */
export class RunWatch {
  readonly #options: RunWatchOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopping: StopReason | null = null;
  #deadline: number | null = null;
  #remaining: number | null = null;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    // Until the worker says that the code runs: a worker that never says so must not run for ever.
    if (options.timeout !== null) this.#killAt(options.timeout + SLACK);
  }

  /** The code begins: its time counts from here. */
  began(): void {
    if (this.#options.timeout !== null) this.#countFrom(this.#options.timeout);
  }

  /** The code has ended, its reply is being made. */
  finishing(): void {
    if (this.#options.timeout === null && this.#stopping === null) return;
    this.#deadline = null;
    this.#killAt(SLACK);
  }

  /** The clock stands still while a person is asked. */
  pause(): void {
    if (this.#deadline === null || this.#stopping !== null) return;
    this.#remaining = this.#deadline - performance.now();
    this.end();
  }

  resume(): void {
    if (this.#remaining !== null && this.#stopping === null) this.#countFrom(this.#remaining);
    this.#remaining = null;
  }

  /** Asks the code to stop, again after a moment, and kills it in the end. */
  stop(reason: StopReason): void {
    if (this.#stopping !== null) return;
    this.#stopping = reason;
    this.#options.interrupt();
    this.#options.onInterrupt();
    this.#proceed(this.#insist());
  }

  /** Nothing more happens. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #countFrom(time: number): void {
    if (this.#stopping !== null) return;
    this.#deadline = performance.now() + time;
    this.#proceed([{ after: time, action: this.#options.onInterrupt }, ...this.#insist()]);
  }

  /** What happens after an interrupt that is not heeded. */
  #insist(): Step[] {
    return [
      { after: REPEAT_AFTER, action: this.#options.interrupt },
      { after: KILL_AFTER - REPEAT_AFTER, action: this.#kill },
    ];
  }

  #killAt(time: number): void {
    const half = SLACK / 2;
    this.#proceed([
      { after: time - half, action: () => undefined },
      { after: half, action: this.#kill },
    ]);
  }

  readonly #kill = (): void => {
    this.#options.kill(this.#stopping ?? "timeout");
  };

  /**
   * Takes one step after the other, each timer set when the one before it has fired: after a sleep of the machine, or
   * of a frozen tab, whatever is due fires at once, and a worker that slept as well must still get its time to obey.
   */
  #proceed([next, ...rest]: readonly Step[]): void {
    this.end();
    if (next === undefined) return;
    this.#timer = setTimeout(() => {
      this.#proceed(rest);
      next.action();
    }, next.after);
  }
}

interface Step {
  /** Milliseconds since the step before. */
  readonly after: number;
  readonly action: () => void;
}
