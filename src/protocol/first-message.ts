/** Milliseconds for the script of a worker to be there. */
const START_LIMIT = 20_000;

/** A worker as its host hands it over. */
interface Starting {
  readonly port: MessagePort;
  readonly failed: Promise<Error>;
  readonly removed: Promise<Error>;
}

/**
 * Waits for what the script of a worker says first.
 *
 * @param read - what its message says; undefined for one that is not expected.
 * @param refusal - the error for a worker that is not there; `why` is what its script did.
 * @throws {Error} that of the worker, where it failed or was removed.
 */
export async function firstMessage<T>(
  { port, failed, removed }: Starting,
  read: (data: unknown) => T | undefined,
  refusal: (why: string) => Error,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const overdue = setTimeout(() => {
    reject(refusal(`was not ready within ${String(START_LIMIT / 1000)} s`));
  }, START_LIMIT);
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const said = read(data);
    if (said === undefined) reject(refusal("sent a message of unknown form"));
    else resolve(said);
  };
  void Promise.race([failed, removed]).then(reject);
  try {
    return await promise;
  } finally {
    clearTimeout(overdue);
  }
}
