import coincident from "coincident/main";

import { LARGE, type Operation, type Side } from "../bench-page.js";
import workerUrl from "./coincident-worker.ts?worker&url";

/** What the worker may call on the page. */
export interface PageFunctions {
  echo(text: string): string;
  give(data: Uint8Array): number;
  take(): Uint8Array;
}

/** What the page may call on the worker. */
export interface WorkerFunctions {
  time(from: "python" | "javascript", operation: Operation, count: number): number;
}

/** coincident 4, called from Python in a Pyodide of its own or from the worker's JavaScript. */
export async function coincidentSide(
  from: "python" | "javascript",
  { serviceWorker }: { readonly serviceWorker?: string } = {},
): Promise<Side> {
  const { Worker } = coincident<{ page: PageFunctions; worker: WorkerFunctions }>();
  const worker = new Worker(workerUrl, serviceWorker === undefined ? {} : { serviceWorker });
  const large = new Uint8Array(LARGE);
  worker.proxy.echo = (text) => text;
  worker.proxy.give = (data) => data.byteLength;
  worker.proxy.take = () => large;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === "ready") resolve();
    });
    worker.addEventListener("error", (event) => {
      reject(new Error(event.message));
    });
  });
  return {
    time: (operation, count) => worker.proxy.time(from, operation, count),
    close: () => worker.terminate(),
  };
}
