import type { BaseSnapshots } from "./base-snapshots.js";
import type { InterpreterSource } from "./prepare-worker.js";
import { PreparedWorker } from "./prepared-worker.js";
import { spawnWorker } from "./spawn-worker.js";

/** Milliseconds after a session opened: the page has its visitor to serve first. */
const DELAY = 2000;

const tried = new WeakSet<BaseSnapshots>();

/**
 * Makes the base snapshot in a worker of its own, for the next session and the
 * next visit. Once for a page; what goes wrong is told to `onProblem`.
 */
export function makeSnapshotLater(source: InterpreterSource, onProblem: (error: unknown) => void): void {
  const { snapshots } = source;
  if (snapshots === null || tried.has(snapshots)) return;
  tried.add(snapshots);
  setTimeout(() => {
    makeSnapshot(source, snapshots).catch(onProblem);
  }, DELAY);
}

async function makeSnapshot({ host, loadFiles }: InterpreterSource, snapshots: BaseSnapshots): Promise<void> {
  const files = await loadFiles(() => undefined);
  const worker = new PreparedWorker(await spawnWorker(host), host);
  try {
    await snapshots.accept(await worker.makeBaseSnapshot(files));
  } finally {
    worker.end();
  }
}
