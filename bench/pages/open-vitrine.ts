import { indexedDBStorage, pageHost, sealedFrameHost, Session, type WorkerHost } from "../../src/index.js";
import { isRecord } from "../../src/protocol/index.js";
import type { Opening } from "./bench-page.js";

const stages: Record<string, number> = {};
globalThis.opening = open();

function mark(stage: string): void {
  stages[stage] = performance.now() - globalThis.started;
}

async function open(): Promise<Opening> {
  mark("page: scripts have run");
  watchHashing();
  const trust = location.search.includes("local") ? "local" : "sandboxed";
  const session = await Session.open({
    storage: indexedDBStorage("bench"),
    trust,
    host: watched(trust === "local" ? pageHost() : sealedFrameHost()),
    onProgress: () => {
      mark("page: the last file is here");
    },
  });
  mark("open");
  const { value, error } = await session.run("1 + 1");
  if (value !== 2) throw new Error(`Python says ${error?.message ?? JSON.stringify(value)}`);
  mark("first result");
  const { boot } = session.capabilities ?? {};
  if (boot !== undefined) placeWorkerStages(boot.stages);
  await session.close();
  return {
    open: stages.open ?? NaN,
    firstResult: stages["first result"] ?? NaN,
    from: boot?.from === "snapshot" ? `snapshot (${boot.source})` : `plain (${boot?.reason ?? "unknown"})`,
    stages,
  };
}

/** The hash by which the base snapshot is known: made while the worker goes on from it. */
function watchHashing(): void {
  const { subtle } = crypto;
  const digest = subtle.digest.bind(subtle);
  subtle.digest = async (algorithm, data) => {
    const hash = await digest(algorithm, data);
    if (data.byteLength > 1e6) mark("page: snapshot verified");
    return hash;
  };
}

/** Notes when the worker is there, and what is asked of it and answered. */
function watched(host: WorkerHost): WorkerHost {
  return {
    kind: host.kind,
    spawn: async (source) => {
      const worker = await host.spawn(source);
      mark("page: worker spawned");
      const { port } = worker;
      const questions = new Map<unknown, string>();
      const post = port.postMessage.bind(port) as (message: unknown, transfer: Transferable[]) => void;
      port.postMessage = (message: unknown, transfer?: Transferable[] | StructuredSerializeOptions) => {
        if (isRecord(message) && Array.isArray(message.path)) {
          const [name] = message.path;
          questions.set(message.id, String(name));
          mark(`page: asks for ${String(name)}`);
        }
        post(message, Array.isArray(transfer) ? transfer : []);
      };
      port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        const name = isRecord(data) ? questions.get(data.id) : undefined;
        if (name !== undefined) mark(`page: hears the end of ${name}`);
      });
      return worker;
    },
  };
}

/** The worker's clock began when it was asked; its stages are put as late as they can have been. */
function placeWorkerStages(ofWorker: Readonly<Record<string, number>>): void {
  const { session = 0, ...preparing } = ofWorker;
  const [prepared, booted] = ["prepare", "boot"].map((name) => stages[`page: hears the end of ${name}`] ?? NaN);
  const last = Math.max(...Object.values(preparing));
  for (const [stage, time] of Object.entries(preparing)) stages[`worker: ${stage}`] = (prepared ?? NaN) - last + time;
  stages["worker: begins to prepare"] = (prepared ?? NaN) - last;
  stages["worker: session"] = booted ?? NaN;
  stages["worker: begins to boot"] = (booted ?? NaN) - session;
}
