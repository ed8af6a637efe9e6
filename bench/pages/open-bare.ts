import type { Opening } from "./bench-page.js";

const worker = new Worker(new URL("./bare-worker.ts", import.meta.url), { type: "module" });
globalThis.opening = open();

async function open(): Promise<Opening> {
  await nextMessage();
  const opened = performance.now() - globalThis.started;
  worker.postMessage("1 + 1");
  if ((await nextMessage()) !== 2) throw new Error("Python does not answer 2.");
  const firstResult = performance.now() - globalThis.started;
  worker.terminate();
  return { open: opened, firstResult, stages: {} };
}

function nextMessage(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      resolve(data);
    };
    worker.onerror = (event) => {
      reject(new Error(event.message));
    };
  });
}
