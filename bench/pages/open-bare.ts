import type { Opening } from "./bench-page.js";
import { nextMessage } from "./next-message.js";

const worker = new Worker(new URL("./bare-worker.ts", import.meta.url), { type: "module" });
globalThis.opening = open();

async function open(): Promise<Opening> {
  await nextMessage(worker);
  const opened = performance.now() - globalThis.started;
  worker.postMessage("1 + 1");
  if ((await nextMessage(worker)) !== 2) throw new Error("Python does not answer 2.");
  const firstResult = performance.now() - globalThis.started;
  worker.terminate();
  return { open: opened, firstResult, from: "bare Pyodide", stages: {} };
}
