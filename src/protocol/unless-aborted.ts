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

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
