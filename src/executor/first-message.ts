import { WorkerStartError } from "./errors.js";
import type { SpawnedWorker } from "./hosts/worker-host.js";

/** Milliseconds for the script of a worker to be there. */
const START_LIMIT = 20_000;

/** Why a worker is not there: its script says nothing, or something else. */
type StartFault = "late" | "foreign";

/**
 * Waits for what the script of a worker says first.
 *
 * @param read - what its message says; undefined for one that is not expected.
 * @param refusal - the error for a worker that is not there. Default: a {@link WorkerStartError}.
 * @throws {Error} that of the worker, where it failed or was removed.
 */
export async function firstMessage<T>(
  { port, failed, removed }: SpawnedWorker,
  read: (data: unknown) => T | undefined,
  refusal: (fault: StartFault, seconds: number) => Error = startError,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const seconds = START_LIMIT / 1000;
  const overdue = setTimeout(() => {
    reject(refusal("late", seconds));
  }, START_LIMIT);
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const said = read(data);
    if (said === undefined) reject(refusal("foreign", seconds));
    else resolve(said);
  };
  void Promise.race([failed, removed]).then(reject);
  try {
    return await promise;
  } finally {
    clearTimeout(overdue);
  }
}

function startError(fault: StartFault, seconds: number): WorkerStartError {
  const late = `its script was not ready within ${String(seconds)} s`;
  return new WorkerStartError(fault === "late" ? late : "its script sent a message of unknown form");
}
