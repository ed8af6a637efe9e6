import type { Opening } from "./bench-page.js";
import { nextMessage } from "./next-message.js";
import { importAll, packageSetHere } from "./package-sets.js";

const worker = new Worker(new URL("./packages-worker.ts", import.meta.url), { type: "module" });
globalThis.opening = open();

async function open(): Promise<Opening> {
  const set = packageSetHere();
  worker.postMessage({ lockfile: set.lockfile, packages: set.packages });
  await nextMessage(worker);
  const opened = performance.now() - globalThis.started;
  worker.postMessage(importAll(set));
  if ((await nextMessage(worker)) !== set.modules.length) throw new Error("Python does not import them.");
  const firstResult = performance.now() - globalThis.started;
  worker.terminate();
  return { open: opened, firstResult, from: "bare Pyodide", stages: {} };
}
