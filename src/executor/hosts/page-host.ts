import type { BlobUrls } from "../../bridge/index.js";
import { WorkerStartError } from "../errors.js";
import { throwIfCspBlocks } from "./csp-probe.js";
import type { SpawnedWorker, WorkerHost } from "./worker-host.js";

/** Spawns workers of the page's own origin: for trust levels `local`, and `isolated`, which seals itself inside. */
export function pageHost(): WorkerHost {
  return { kind: "page", baseURL: document.baseURI, spawn };
}

async function spawn(source: string): Promise<SpawnedWorker> {
  await throwIfCspBlocks(["wasm", "worker", "import", "connect"]);
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    const worker = new Worker(url, { name: "vitrine-executor" });
    const { port1, port2 } = new MessageChannel();
    const failed = new Promise<Error>((resolve) => {
      worker.addEventListener("error", (event) => {
        resolve(new WorkerStartError(event.message || "its script could not be run"));
      });
    });
    worker.postMessage(null, [port2]);
    const terminate = (): void => {
      worker.terminate();
      port1.close();
    };
    // A worker of the page goes only when it is terminated; a crash takes the page along.
    const removed = new Promise<Error>(() => undefined);
    return { port: port1, blobUrls: pageBlobUrls, terminate, failed, removed, removal: () => undefined };
  } finally {
    // The worker has begun to fetch its script; the URL is not needed for that any more.
    setTimeout(() => {
      URL.revokeObjectURL(url);
    }, 10_000);
  }
}

const pageBlobUrls: BlobUrls = {
  create: (blob, count) => Promise.resolve(Array.from({ length: count }, () => URL.createObjectURL(blob))),
  revoke: (urls) => {
    for (const url of urls) URL.revokeObjectURL(url);
  },
};
