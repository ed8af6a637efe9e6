/** Scripts on their way cannot be stopped; waiting for them can. */
export function unlessStopped<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException("This was stopped.", "AbortError"));
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
  });
}
