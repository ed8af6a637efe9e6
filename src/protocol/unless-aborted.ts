/**
 * Waits for work, but no longer than anybody waits for it. The work goes on without them.
 *
 * @param reason - what is thrown where it was aborted. Default: the signal's reason.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => Error = () => reasonOf(signal),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(reason());
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}

/** As {@link unlessAborted} for one thing after another, with one listener for all of them: a stream has thousands. */
export class AbortableWaits {
  readonly #signal: AbortSignal;
  #reject: (reason: unknown) => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#stop);
  }

  /** Waits for `work`, before what is waited for next. @throws the signal's reason. */
  for<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#signal.aborted) this.#stop();
      work.then(resolve, reject);
    });
  }

  /** Lets go of the signal. */
  end(): void {
    this.#signal.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => {
    this.#reject(reasonOf(this.#signal));
  };
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
