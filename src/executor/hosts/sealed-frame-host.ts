import { z } from "zod";

import { WorkerStartError } from "../errors.js";
import { throwIfCspBlocks } from "./csp-probe.js";
import { FrameBlobUrls } from "./frame-blob-urls.js";
import { OUTER_DOCUMENT } from "./sealed-frame-documents.js";
import type { SpawnedWorker, WorkerHost } from "./worker-host.js";

/** Milliseconds in which the frame must have loaded and started its worker. */
const START_LIMIT = 20_000;

/** Milliseconds between two looks whether the frame is still there. */
const REMOVAL_CHECK = 500;

const Status = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("started") }),
  z.strictObject({ kind: z.literal("failed"), reason: z.string().max(1000) }),
]);

/**
 * Spawns workers in a frame of opaque origin, nested in another with the same
 * Content Security Policy: for trust level `sandboxed`. A single frame could
 * leave by navigating, and take the policy off with it.
 *
 * @param parent - where the hidden frame is put. Default: the document's body.
 */
export function sealedFrameHost(parent?: Element): WorkerHost {
  return { kind: "sealed-frame", spawn: (source) => spawn(source, parent ?? document.body) };
}

async function spawn(source: string, parent: Element): Promise<SpawnedWorker> {
  await throwIfCspBlocks(["wasm", "outer-script", "inner-script", "worker", "import", "connect"]);
  const frame = createFrame();
  try {
    await loadFrame(frame, parent);
    const { port1: port, port2: workerPort } = new MessageChannel();
    const { port1: status, port2: statusPort } = new MessageChannel();
    const { port1: urls, port2: urlsPort } = new MessageChannel();
    const started = nextStatus(status);
    // The frame has no origin that could be named as the target.
    frame.contentWindow?.postMessage(source, "*", [workerPort, statusPort, urlsPort]);
    const first = await within(started, START_LIMIT);
    if (first.kind === "failed") throw new WorkerStartError(first.reason);
    return spawned(frame, { port, status, urls });
  } catch (error) {
    frame.remove();
    throw error;
  }
}

interface FramePorts {
  readonly port: MessagePort;
  readonly status: MessagePort;
  readonly urls: MessagePort;
}

function spawned(frame: HTMLIFrameElement, { port, status, urls }: FramePorts): SpawnedWorker {
  const failed = nextStatus(status).then(
    (next) => new WorkerStartError(next.kind === "failed" ? next.reason : "its frame started twice"),
  );
  const { promise: removed, resolve } = Promise.withResolvers<Error>();
  const removal = (): string | undefined => (frame.isConnected ? undefined : "its frame was removed from the page");
  // Nothing tells when a frame is taken out of its document, and its worker ends without a word.
  const watch = setInterval(() => {
    const reason = removal();
    if (reason !== undefined) resolve(new WorkerStartError(reason));
  }, REMOVAL_CHECK);
  return {
    port,
    blobUrls: new FrameBlobUrls(urls),
    failed,
    removed,
    removal,
    terminate: () => {
      clearInterval(watch);
      port.close();
      status.close();
      urls.close();
      // A worker ends with the document that made it.
      frame.remove();
    },
  };
}

/** The frame with its seal; `content` is the outer document. */
export function createFrame(content = OUTER_DOCUMENT): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("aria-hidden", "true");
  frame.title = "Vitrine executor";
  frame.tabIndex = -1;
  frame.style.display = "none";
  frame.srcdoc = content;
  return frame;
}

async function loadFrame(frame: HTMLIFrameElement, parent: Element): Promise<void> {
  const loaded = new Promise((resolve) => {
    frame.addEventListener("load", resolve, { once: true });
  });
  parent.append(frame);
  // The load event of a frame comes after those of the frames inside it.
  await within(loaded, START_LIMIT);
}

function nextStatus(port: MessagePort): Promise<z.infer<typeof Status>> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      const status = Status.safeParse(data);
      resolve(status.success ? status.data : { kind: "failed", reason: "its frame sent a message of unknown form" });
    };
  });
}

async function within<T>(promise: Promise<T>, limit: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new WorkerStartError(`its frame did not answer within ${String(limit / 1000)} s`));
  }, limit);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
