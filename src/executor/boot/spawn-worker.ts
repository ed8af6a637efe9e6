import type { SpawnedWorker, WorkerHost } from "../hosts/worker-host.js";

/** Spawns the executor worker. @throws {CspBlockedError} @throws {WorkerStartError} */
export async function spawnWorker(host: WorkerHost): Promise<SpawnedWorker> {
  // A fifth of the library's size, and needed only once a session opens.
  const { default: source } = await import("virtual:executor-worker");
  return host.spawn(source);
}
