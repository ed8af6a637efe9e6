// A timer of more milliseconds fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The time one call may take, joined with the signal of its run. Cheaper than
 * `AbortSignal.any` with `AbortSignal.timeout`, whose timer outlives the call.
 */
export class CallDeadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #cancel = (): void => {
    this.#controller.abort(this.#outer.reason);
  };
  #expired = false;

  constructor(outer: AbortSignal, milliseconds: number) {
    this.#outer = outer;
    this.#timer = setTimeout(
      () => {
        this.#expired = true;
        this.#controller.abort(new DOMException("The call took too long.", "TimeoutError"));
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
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

  /** Stops the clock. To be called when the call is over, however it ended. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#cancel);
  }
}
