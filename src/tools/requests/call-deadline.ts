// A timer of more milliseconds fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The time one call may take, joined with the signal of its run. Cheaper than
 * `AbortSignal.any` with `AbortSignal.timeout`, whose timer outlives the call.
 */
export class CallDeadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Milliseconds that were left when the timer was set, and when that was. */
  #left: number;
  #since = performance.now();
  #pauses = 0;
  readonly #cancel = (): void => {
    this.#controller.abort(this.#outer.reason);
  };
  #expired = false;
  #ended = false;

  constructor(outer: AbortSignal, milliseconds: number) {
    this.#outer = outer;
    this.#left = Math.min(milliseconds, LONGEST_TIMER);
    this.#startTimer();
    if (outer.aborted) this.#cancel();
    else outer.addEventListener("abort", this.#cancel, { once: true });
  }

  /** Aborted when the time is over or the run is stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was the time that ended the call. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Waits for `work`, but not beyond the deadline: a function that overlooks its signal must not hold the call. */
  async race<T>(work: () => T | Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    let stop = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => {
        reject(new DOMException("The call was given up.", "AbortError"));
      };
      this.signal.addEventListener("abort", stop, { once: true });
    });
    try {
      return await Promise.race([work(), aborted]);
    } finally {
      this.signal.removeEventListener("abort", stop);
    }
  }

  /** Stops the clock while a person is asked; the answer lets it go on. */
  pause(): () => void {
    this.#pauses += 1;
    if (this.#pauses === 1) {
      clearTimeout(this.#timer);
      this.#left -= performance.now() - this.#since;
    }
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.#ended) this.#startTimer();
    };
  }

  /** Stops the clock. To be called when the call is over, however it ended. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#cancel);
  }

  #startTimer(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#expired = true;
        this.#controller.abort(new DOMException("The call took too long.", "TimeoutError"));
      },
      Math.max(0, this.#left),
    );
  }
}

/** Does `work` while a clock stands still. */
export async function whilePaused<T>(pauseClock: () => () => void, work: () => Promise<T>): Promise<T> {
  const resume = pauseClock();
  try {
    return await work();
  } finally {
    resume();
  }
}
