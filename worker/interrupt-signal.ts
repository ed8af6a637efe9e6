/** Why a run was interrupted. */
export type InterruptReason = "timeout" | "stop";

/**
 * What Pyodide reads in place of an interrupt buffer. Python asks it every few
 * hundred instructions, so a look at the clock here ends a runaway loop within
 * milliseconds of its deadline, with no shared memory.
 *
 * It answers 2 (SIGINT) once for the deadline and once for each request to stop:
 * answered again and again, it would also interrupt the code that reports the
 * interrupt.
 */
export class InterruptSignal {
  readonly #takeSharedRequest: () => boolean;
  readonly #tick: (now: number) => void;
  #deadline = Infinity;
  #remaining: number | undefined;
  #armed = false;
  #held = false;
  #stopRequested = false;
  #reason: InterruptReason | null = null;

  /**
   * @param takeSharedRequest - takes a request to stop that came through shared memory.
   * @param tick - is called with each look at the clock, while Python computes.
   */
  constructor(takeSharedRequest: () => boolean, tick: (now: number) => void) {
    this.#takeSharedRequest = takeSharedRequest;
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

  /** Milliseconds, `performance.now`; infinite while no deadline is set, and once it has fired. */
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

  /** Begins a run. @param timeout - milliseconds; negative for no deadline. */
  arm(timeout: number): void {
    this.#takeSharedRequest();
    this.#stopRequested = false;
    this.#held = false;
    this.#remaining = undefined;
    this.#reason = null;
    this.#armed = true;
    this.#deadline = timeout < 0 ? Infinity : performance.now() + timeout;
  }

  /** Ends a run. Tells why it was interrupted first, if it was. */
  disarm(): InterruptReason | null {
    this.#armed = false;
    this.#deadline = Infinity;
    return this.#reason;
  }

  /** Stops the clock of the run while it waits for a person. */
  pause(): void {
    if (this.#deadline !== Infinity) this.#remaining = this.#deadline - performance.now();
    this.#deadline = Infinity;
  }

  resume(): void {
    if (this.#remaining !== undefined && this.#armed) this.#deadline = performance.now() + this.#remaining;
    this.#remaining = undefined;
  }

  /** A request to stop that came as a message. Forgotten when nothing runs. */
  requestStop(): void {
    this.#stopRequested = this.#armed;
  }

  /** Whether Python is to be interrupted now. */
  fire(now: number): boolean {
    // Both are taken in any case: a request that comes when nothing runs must not end the next run.
    const stop = this.#takeSharedRequest() || this.#stopRequested;
    this.#stopRequested = false;
    if (!this.#armed) return false;
    const late = now >= this.#deadline;
    if (late) this.#deadline = Infinity;
    if (!late && !stop) return false;
    this.#reason ??= late ? "timeout" : "stop";
    return true;
  }
}
