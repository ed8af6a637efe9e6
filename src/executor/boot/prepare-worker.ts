import type { PyodideFiles, WheelBytes } from "../../protocol/index.js";
import type { SpawnedWorker, WorkerHost } from "../hosts/worker-host.js";
import type { LoadProgress } from "../pyodide-files.js";
import type { BaseSnapshots, SnapshotOffer } from "./base-snapshots.js";
import { compiledFor } from "./compiled-module.js";
import { PreparedWorker } from "./prepared-worker.js";
import { spawnWorker } from "./spawn-worker.js";

/** Where an interpreter comes from. */
export interface InterpreterSource {
  readonly host: WorkerHost;
  readonly loadFiles: (onProgress: (progress: LoadProgress) => void) => Promise<PyodideFiles>;
  /** Null: always the plain load. */
  readonly snapshots: BaseSnapshots | null;
}

/** How an interpreter was made. */
export interface Preparation {
  readonly worker: PreparedWorker;
  readonly boot: BootKind;
  /** Bytes of Python's heap. */
  readonly heapSize: number;
  /** Packages that could not be unpacked, and why. */
  readonly wheelProblems: readonly string[];
  /** Milliseconds from the start of its preparation to the end of each stage. */
  readonly stages: Readonly<Record<string, number>>;
}

/** From a snapshot, or the plain way and why. */
export type BootKind =
  | { readonly from: "snapshot"; readonly source: "cache" | "download" | "memory" }
  | { readonly from: "plain"; readonly reason: string };

export interface PrepareOptions {
  /** Packages to unpack. */
  readonly wheels: readonly WheelBytes[];
  readonly onProgress: (progress: LoadProgress) => void;
  /** Rejects when nobody wants the interpreter any more. */
  readonly cancelled: Promise<never>;
}

/** Spawns a worker and makes its interpreter. */
export async function prepareWorker(
  source: InterpreterSource,
  { wheels, onProgress, cancelled }: PrepareOptions,
): Promise<Preparation> {
  const loading = gather(source, new JoinedProgress(onProgress));
  // What comes after a cancelled start is ended when it comes.
  const cancelLate = cancelled.catch((reason: unknown) => {
    loading.then(
      ([, spawned]) => {
        spawned.terminate();
      },
      () => undefined,
    );
    throw reason;
  });
  const [{ files, module }, spawned, offer] = await Promise.race([loading, cancelLate]);
  const worker = new PreparedWorker(spawned, source.host);
  try {
    return await Promise.race([fill(worker, { files, module, wheels, offer, snapshots: source.snapshots }), cancelled]);
  } catch (error) {
    worker.end(error instanceof Error ? error : undefined);
    if (!(error instanceof SnapshotRefusedError)) throw error;
    // The page has forgotten the snapshot by now, so this ends.
    return prepareWorker(source, { wheels, onProgress, cancelled });
  }
}

interface Compiled {
  readonly files: PyodideFiles;
  readonly module: WebAssembly.Module | null;
}

interface Parts extends Compiled {
  readonly wheels: readonly WheelBytes[];
  readonly offer: SnapshotOffer;
  readonly snapshots: BaseSnapshots | null;
}

async function fill(
  worker: PreparedWorker,
  { files: pyodide, module, wheels, offer, snapshots }: Parts,
): Promise<Preparation> {
  if (offer.snapshot === null) {
    const report = await worker.prepare({ pyodide, module, snapshot: null, wheels });
    return { ...report, worker, boot: { from: "plain", reason: offer.reason } };
  }
  const { bytes, source, verify } = offer.snapshot;
  // Both at once, the worker's part first: nothing of the session's runs before both are done.
  const [report, isGenuine] = await Promise.all([
    worker.prepare({ pyodide, module, snapshot: bytes, wheels }),
    verify(),
  ]);
  if (!isGenuine) {
    await snapshots?.reject("the kept base snapshot was damaged or of another build; it was deleted");
    throw new SnapshotRefusedError();
  }
  if (report.refused === null) return { ...report, worker, boot: { from: "snapshot", source } };
  const reason = `Pyodide refused the base snapshot: ${report.refused}`;
  await snapshots?.reject(reason);
  return { ...report, worker, boot: { from: "plain", reason } };
}

/** An interpreter was made from bytes that are not ours; it is thrown away. */
class SnapshotRefusedError extends Error {
  override readonly name = "SnapshotRefusedError";
}

/** All or nothing: when the files cannot be had, the worker that was spawned meanwhile is ended. */
async function gather(
  { host, loadFiles, snapshots }: InterpreterSource,
  progress: JoinedProgress,
): Promise<readonly [Compiled, SpawnedWorker, SnapshotOffer]> {
  const spawning = spawnWorker(host);
  const offer: Promise<SnapshotOffer> =
    snapshots === null
      ? Promise.resolve({ snapshot: null, reason: "snapshots are turned off" })
      : progress.of((tell) => snapshots.offer(tell));
  try {
    return await Promise.all([compile(host, progress.of(loadFiles)), spawning, offer]);
  } catch (error) {
    spawning.then(
      (spawned) => {
        spawned.terminate();
      },
      () => undefined,
    );
    throw error;
  }
}

async function compile(host: WorkerHost, loading: Promise<PyodideFiles>): Promise<Compiled> {
  const files = await loading;
  return { files, module: await compiledFor(host, files.wasm) };
}

/** Several downloads, told as one. */
class JoinedProgress {
  readonly #onProgress: (progress: LoadProgress) => void;
  readonly #parts: LoadProgress[] = [];

  constructor(onProgress: (progress: LoadProgress) => void) {
    this.#onProgress = onProgress;
  }

  /** Starts a download that tells its progress; one that has ended without a word had nothing to load. */
  async of<T>(download: (onProgress: (progress: LoadProgress) => void) => Promise<T>): Promise<T> {
    const index = this.#parts.push({ loaded: 0, total: undefined }) - 1;
    const result = await download((progress) => {
      this.#parts[index] = progress;
      this.#tell();
    });
    const loaded = this.#parts[index]?.loaded ?? 0;
    this.#parts[index] = { loaded, total: loaded };
    return result;
  }

  #tell(): void {
    const loaded = this.#parts.reduce((sum, part) => sum + part.loaded, 0);
    const known = this.#parts.every((part) => part.total !== undefined);
    const total = known ? this.#parts.reduce((sum, part) => sum + (part.total ?? 0), 0) : undefined;
    this.#onProgress({ loaded, total });
  }
}
