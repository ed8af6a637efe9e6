import { indexedDBStorage, pageHost, sealedFrameHost, Session, type WorkerHost } from "../../src/index.js";
import type { Opening } from "./bench-page.js";

globalThis.opening = open();

async function open(): Promise<Opening> {
  const trust = location.search.includes("local") ? "local" : "sandboxed";
  const stages: Record<string, number> = {};
  const mark = (stage: string): void => {
    stages[stage] = performance.now() - globalThis.started;
  };
  mark("scripts");
  const host = trust === "local" ? pageHost() : sealedFrameHost();
  const timed: WorkerHost = {
    kind: host.kind,
    spawn: async (source) => {
      const worker = await host.spawn(source);
      mark("worker spawned");
      return worker;
    },
  };
  const session = await Session.open({
    storage: indexedDBStorage("bench"),
    trust,
    host: timed,
    onProgress: () => {
      mark("files");
    },
  });
  mark("open");
  const { value, error } = await session.run("1 + 1");
  if (value !== 2) throw new Error(`Python says ${error?.message ?? JSON.stringify(value)}`);
  mark("first result");
  for (const [stage, time] of Object.entries(session.capabilities?.boot.stages ?? {})) stages[`boot: ${stage}`] = time;
  await session.close();
  return { open: stages.open ?? NaN, firstResult: stages["first result"] ?? NaN, stages };
}
