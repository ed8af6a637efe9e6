import { indexedDBStorage, Session } from "../../src/index.js";
import type { Opening } from "./bench-page.js";
import { importAll, packageSetHere } from "./package-sets.js";

globalThis.opening = open();

async function open(): Promise<Opening> {
  const set = packageSetHere();
  const stages: Record<string, number> = {};
  const session = await Session.open({
    storage: indexedDBStorage(`bench-packages-${set.name}`),
    packages: [{ lockfile: set.lockfile }],
    deps: set.packages,
    onProgress: () => {
      stages.files = performance.now() - globalThis.started;
    },
  });
  const opened = performance.now() - globalThis.started;
  const { value, error } = await session.run(importAll(set));
  if (value !== set.modules.length) throw new Error(`Python says ${error?.message ?? JSON.stringify(value)}`);
  const firstResult = performance.now() - globalThis.started;
  const { boot } = session.capabilities ?? {};
  await session.close();
  return { open: opened, firstResult, from: boot?.from ?? "unknown", stages };
}
