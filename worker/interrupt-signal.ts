/** Why a run was interrupted. */
export type InterruptReason = "timeout" | "stop";

/**
 * What Pyodide reads in place of an interrupt buffer. Python asks it every few
 * hundred instructions, so a look at the clock here ends a runaway loop within
 * milliseconds of its deadline, with no shared memory.
 *
 * It answers 2 (SIGINT) once for each interrupt: answered again and again, it
 * would also interrupt the code that reports the interrupt.
 */
export class InterruptSignal {
  readonly #stopRequested: () => boolean;
  readonly #tick: (now: number) => void;
  #deadline = Infinity;
  #armed = false;
  #held = false;
  #reason: InterruptReason | null = null;

  /**
   * @param stopRequested - takes a request to stop that came by another way than a message.
   * @param tick - is called with each look at the clock, while Python computes.
   */
  constructor(stopRequested: () => boolean, tick: (now: number) => void) {
    this.#stopRequested = stopRequested;
    this.#tick = tick;
  }

  get 0(): number {
    const now = performance.now();
    this.#tick(now);
    return !this.#held && this.fire(now) ? 2 : 0;
  }

  set 0(_value: number) {
    // Pyodide writes a zero back after each reading; there is nothing to clear.
  }

  /** Milliseconds, `performance.now`; infinite while no deadline is set. */
  get deadline(): number {
    return this.#deadline;
  }

  /** Keeps quiet towards Python until `release`; the interrupt is not lost. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
  }

  arm(timeout: number): void {
    this.#stopRequested();
    this.#armed = true;
    this.#reason = null;
    this.#deadline = timeout < 0 ? Infinity : performance.now() + timeout;
  }

  disarm(): InterruptReason | null {
    this.#armed = false;
    this.#deadline = Infinity;
    const reason = this.#reason;
    this.#reason = null;
    return reason;
  }

  /** Whether the run is to be interrupted now; true once per interrupt. */
  fire(now: number): boolean {
    // Taken in any case: a request that comes when nothing runs must not end the next run.
    const stopRequested = this.#stopRequested();
    if (!this.#armed || this.#reason !== null) return false;
    if (now >= this.#deadline) this.#reason = "timeout";
    else if (stopRequested) this.#reason = "stop";
    return this.#reason !== null;
  }

  /** A request to stop that came as a message. */
  stop(): boolean {
    if (!this.#armed || this.#reason !== null) return false;
    this.#reason = "stop";
    return true;
  }
}
