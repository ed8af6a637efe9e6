/**
 * Milliseconds from an interrupt to the second one, and to the end of code that resists both. Once the code has heard of
 * the first, they count from there: on a busy machine that takes its time.
 */
export const REPEAT_AFTER = 250;
const KILL_AFTER = 1000;

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
  #hasBegun = false;
  #isInsisting = false;
  #hasHeard = false;
  #isFinishing = false;
  #isPaused = false;
  #isWaiting = false;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    // Until the worker says that the code runs: a worker that never says so must not run for ever.
    if (options.timeout !== null) this.#killAt(options.timeout + SLACK);
  }

  /** The code begins, and its time counts from here, or it goes on after it waited. */
  running(): void {
    if (this.#isFinishing) return;
    this.#isWaiting = false;
    if (this.#hasBegun) {
      this.#setClock();
      return;
    }
    this.#hasBegun = true;
    if (this.#stopping !== null) {
      // Of what came before the code began the worker knows nothing.
      this.#options.interrupt();
      this.#proceed(this.#insist());
      return;
    }
    if (this.#options.timeout !== null) this.#countFrom(this.#options.timeout);
  }

  /** The code waits for the page. */
  waiting(): void {
    if (this.#isFinishing) return;
    this.#isWaiting = true;
    this.#setClock();
  }

  /** The code has heard of the first interrupt. A worker that says so again gets no more time. */
  interrupted(): void {
    if (this.#hasHeard || !this.#isInsisting || this.#isFinishing) return;
    this.#hasHeard = true;
    this.#proceed(this.#insist());
  }

  /** The code has ended, its reply is being made. A worker that says so again gets no more time. */
  finishing(): void {
    if (this.#isFinishing) return;
    this.#isFinishing = true;
    if (this.#options.timeout === null && this.#stopping === null) return;
    this.#deadline = null;
    this.#remaining = null;
    this.#killAt(SLACK);
  }

  /** The clock stands still from here to `resume`, as long as the code waits: what computes beside a wait has its time. */
  pause(): void {
    this.#isPaused = true;
    this.#setClock();
  }

  resume(): void {
    this.#isPaused = false;
    this.#setClock();
  }

  /** Asks the code to stop, again after a moment, and kills it in the end. */
  stop(reason: StopReason): void {
    if (this.#stopping !== null) return;
    this.#stopping = reason;
    this.#isInsisting = true;
    this.#options.interrupt();
    this.#options.onInterrupt();
    this.#proceed(this.#insist());
  }

  /** Nothing more happens. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #setClock(): void {
    if (this.#stopping !== null) return;
    if (!this.#isPaused || !this.#isWaiting) {
      if (this.#remaining !== null) this.#countFrom(this.#remaining);
      this.#remaining = null;
    } else if (this.#deadline !== null && this.#remaining === null) {
      this.#remaining = this.#deadline - performance.now();
      this.end();
    }
  }

  #countFrom(time: number): void {
    if (this.#stopping !== null) return;
    this.#deadline = performance.now() + time;
    const due = (): void => {
      this.#deadline = null;
      this.#isInsisting = true;
      this.#options.onInterrupt();
    };
    this.#proceed([{ after: time, action: due }, ...this.#insist()]);
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
