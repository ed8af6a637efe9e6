import { StopSign } from "./stop-sign.js";

/** Why a run was interrupted. */
export type InterruptReason = "timeout" | "stop" | "output";

/** Milliseconds after an interrupt at which code that goes on is interrupted again. */
const REPEAT_AFTER = 250;

/** Milliseconds that code has after an interrupt, whatever else would interrupt it: to say what happened, to tidy up. */
const GRACE = 100;

/**
 * What stands in place of an interrupt buffer. Python asks every few microseconds,
 * so a look at the clock here ends a runaway loop within milliseconds of its
 * deadline, with no shared memory.
 *
 * It answers yes once for the deadline, once for a request to stop, and once more a
 * moment later if the run still goes on: answered again and again, or twice at once,
 * it would also interrupt the code that reports the interrupt.
 */
export class InterruptSignal {
  readonly #takeSharedRequest: () => boolean;
  readonly #tick: (now: number) => void;
  readonly #onInterrupt: () => void;
  readonly #stopSign = new StopSign();
  #deadline = Infinity;
  #repeatAt = Infinity;
  /** Before this no other reason interrupts the code again. */
  #graceUntil = -Infinity;
  #remaining: number | undefined;
  /** Of the last look: `Date.now`, milliseconds. */
  #moment = 0;
  #armed = false;
  #paused = false;
  #held = false;
  /** Python was told where it could not heed it. */
  #postponed = false;
  /** Why somebody wants this run to stop, until Python has been told. */
  readonly #requests = new Set<"stop" | "output">();
  /** A request to stop may come several ways and several times; Python gets it once. */
  readonly #delivered = new Set<InterruptReason>();
  #reason: InterruptReason | null = null;

  /**
   * @param takeSharedRequest - takes a request to stop that came through shared memory.
   * @param tick - is called with each look at the clock, at most once in a millisecond, while Python computes.
   * @param onInterrupt - is called when Python is told of the first interrupt of a run.
   */
  constructor(
    takeSharedRequest: () => boolean,
    tick: (now: number) => void,
    onInterrupt: () => void = () => undefined,
  ) {
    this.#takeSharedRequest = takeSharedRequest;
    this.#tick = tick;
    this.#onInterrupt = onInterrupt;
  }

  /** Asked by Python while it computes: whether it is to be interrupted now. Yes is the interrupt, and is said once. */
  poll(): boolean {
    // This clock costs a tenth of the other; it only tells that a moment has passed.
    const moment = Date.now();
    if (moment === this.#moment) return false;
    this.#moment = moment;
    const now = performance.now();
    this.#tick(now);
    return !this.#held && this.fire(now);
  }

  /** When the clock fires next. Milliseconds, `performance.now`; infinite when it does not. */
  get deadline(): number {
    if (this.#postponed) return 0;
    const due = this.#requests.size > 0 ? -Infinity : Math.min(this.#deadline, this.#repeatAt);
    return Math.max(due, this.#graceUntil);
  }

  /** Keeps quiet towards Python until `release`; the interrupt is not lost. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
  }

  /** Python could not heed what it was just told; it is told again. Forgotten when the run ends. */
  postpone(): void {
    this.#postponed = this.#armed;
  }

  /** Says by which URLs the page stops the run that comes; may be none. Forgotten when the run ends. */
  watch(stopSign: readonly string[]): void {
    this.#stopSign.watch(stopSign);
  }

  /** Begins a run. @param timeout - milliseconds; negative for no deadline. */
  arm(timeout: number): void {
    this.#takeSharedRequest();
    this.#requests.clear();
    this.#delivered.clear();
    this.#held = false;
    this.#paused = false;
    this.#postponed = false;
    this.#remaining = undefined;
    this.#reason = null;
    this.#armed = true;
    this.#repeatAt = Infinity;
    this.#graceUntil = -Infinity;
    this.#deadline = timeout < 0 ? Infinity : performance.now() + timeout;
  }

  /** Ends a run. Tells why it was interrupted first, if it was. */
  disarm(): InterruptReason | null {
    this.#armed = false;
    this.#postponed = false;
    this.#deadline = Infinity;
    this.#repeatAt = Infinity;
    this.#requests.clear();
    this.#stopSign.watch([]);
    return this.#reason;
  }

  /** From here to `resume` the clock of the run stands still while Python waits. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Python waits for the page from here to `endWait`. Tells whether that stops its clock. */
  beginWait(): boolean {
    const remaining = this.#deadline - performance.now();
    if (!this.#paused || remaining === Infinity || remaining <= 0) return false;
    this.#remaining = remaining;
    this.#deadline = Infinity;
    return true;
  }

  endWait(): void {
    if (this.#remaining !== undefined && this.#armed) this.#deadline = performance.now() + this.#remaining;
    this.#remaining = undefined;
  }

  /** A request to stop that came as a message, or from the worker itself. Forgotten when nothing runs. */
  requestStop(reason: "stop" | "output" = "stop"): void {
    if (this.#armed && !this.#delivered.has(reason)) this.#requests.add(reason);
  }

  /** Looks at the stop sign now: what came another way may have overtaken its revocation. */
  lookAgain(): void {
    if (this.#armed && !this.#delivered.has("stop")) this.#stopSign.look();
  }

  /** Whether a wait has to end because Python is to be interrupted. */
  isDue(now: number): boolean {
    if (!this.#armed) return false;
    const isStopped = this.#takeSharedRequest() || (!this.#delivered.has("stop") && this.#stopSign.isRevoked(now));
    if (isStopped) this.requestStop();
    return now >= this.deadline;
  }

  /** Whether Python is to be interrupted now. Yes is the interrupt, and is said once. */
  fire(now: number): boolean {
    // Asked in any case: a shared request that comes when nothing runs must not end the next run.
    if (!this.#armed) this.#takeSharedRequest();
    if (!this.isDue(now)) return false;
    const isRepeat = this.#postponed ? this.#repeatAt === Infinity : now >= this.#repeatAt;
    this.#repeatAt = isRepeat ? Infinity : now + REPEAT_AFTER;
    this.#graceUntil = now + GRACE;
    this.#postponed = false;
    const isFirst = this.#reason === null;
    // A look for requests takes its time on a busy machine: a deadline that passed meanwhile came before the request.
    if (now >= this.#deadline || (this.#requests.size > 0 && performance.now() >= this.#deadline)) {
      this.#deadline = Infinity;
      this.#note("timeout");
    }
    for (const reason of this.#requests) this.#note(reason);
    this.#requests.clear();
    if (isFirst) this.#onInterrupt();
    return true;
  }

  #note(reason: InterruptReason): void {
    this.#delivered.add(reason);
    this.#reason ??= reason;
  }
}
