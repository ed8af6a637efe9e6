import type { BlobUrls } from "../../bridge/index.js";

/** A running worker, as its host hands it over. */
export interface SpawnedWorker {
  /** The page's end of the channel to the worker, and the only way to it. */
  readonly port: MessagePort;
  /** Blob URLs that this worker can read. */
  readonly blobUrls: BlobUrls;
  /** Ends the worker at once, whatever it is doing. */
  terminate(): void;
  /**
   * Settles with an error that the worker's script threw and nobody caught. While
   * the worker starts that means that it will not; later it may be a callback of
   * the session's own code. Never rejects.
   */
  readonly failed: Promise<Error>;
  /** Settles when the worker is gone by itself: its frame was removed. Never rejects. */
  readonly removed: Promise<Error>;
  /** Why the worker is gone by itself, as soon as it is; `removed` takes half a second. Undefined while it is there. */
  removal(): string | undefined;
}

/** How a worker is spawned: on the page, or in a sealed frame. */
export interface WorkerHost {
  readonly kind: "page" | "sealed-frame";
  /** What relative addresses are relative to, where code may ask the network. */
  readonly baseURL?: string;
  /**
   * Starts a worker from the text of one classic script.
   * @throws {CspBlockedError} when the page's Content Security Policy refuses it.
   * @throws {WorkerStartError} when it does not start for another reason.
   */
  spawn(source: string): Promise<SpawnedWorker>;
}
