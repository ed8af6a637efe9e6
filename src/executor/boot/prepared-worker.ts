import { z } from "zod";

import { createBatch, type BlobUrls, type BridgeHandler, type BridgeOptions } from "../../bridge/index.js";
import {
  BytesSchema,
  createMailbox,
  PrepareReport,
  ProtocolViolationError,
  type PrepareRequest,
  type PyodideFiles,
} from "../../protocol/index.js";
import { WorkerStartError } from "../errors.js";
import type { SpawnedWorker, WorkerHost } from "../hosts/worker-host.js";
import { WorkerConnection } from "../worker-connection.js";

/** What a worker's messages mean to the session it belongs to. */
export type SessionLink = Pick<BridgeOptions, "admit" | "onOutput" | "onPhase" | "onViolation" | "onLost"> & {
  readonly handlers: ReadonlyMap<string, BridgeHandler>;
};

/**
 * A worker with an interpreter that belongs to no session yet. What it sends
 * before it does, beside answers, breaks the protocol: nobody's code runs in it.
 */
export class PreparedWorker {
  readonly connection: WorkerConnection;
  /** Shared with the worker where the page can share memory. */
  readonly mailbox: SharedArrayBuffer | null;
  /** Settles when the worker is of no use any more. Never rejects. */
  readonly lost: Promise<Error>;
  /** For its first mail over the blob channel, and to see whether it can read blobs. The session's once it is bound. */
  readonly blobBatch: Promise<readonly string[]>;
  readonly #spawned: SpawnedWorker;
  readonly #handlers = new Map<string, BridgeHandler>();
  #link: SessionLink | undefined;

  constructor(spawned: SpawnedWorker, host: WorkerHost) {
    this.#spawned = spawned;
    this.mailbox = host.kind === "page" && canShareMemory() ? createMailbox() : null;
    this.blobBatch = createBatch(spawned.blobUrls);
    this.blobBatch.catch(() => undefined);
    const { promise: lost, resolve: lose } = Promise.withResolvers<Error>();
    this.lost = lost;
    const unbound = (): void => {
      this.end(new ProtocolViolationError("a message before the worker belonged to a session"));
    };
    this.connection = new WorkerConnection(spawned, {
      handlers: this.#handlers,
      admit: (method) => {
        if (this.#link === undefined) unbound();
        return this.#link?.admit?.(method) ?? (() => undefined);
      },
      onOutput: (chunks) => {
        if (this.#link === undefined) unbound();
        else this.#link.onOutput(chunks);
      },
      onPhase: (runId, phase) => {
        if (this.#link === undefined) unbound();
        else this.#link.onPhase(runId, phase);
      },
      onViolation: (error) => {
        lose(error);
        this.#link?.onViolation(error);
      },
      onLost: (error) => {
        lose(error);
        this.#link?.onLost(error);
      },
    });
    void spawned.failed.then(lose);
    void spawned.removed.then(lose);
  }

  /** Blob URLs that the worker can read. */
  get blobUrls(): BlobUrls {
    return this.#spawned.blobUrls;
  }

  /** Settles when the worker is gone by itself. Never rejects. */
  get removed(): Promise<Error> {
    return this.#spawned.removed;
  }

  /** Why the worker is gone by itself, as soon as it is. */
  removal(): string | undefined {
    return this.#spawned.removal();
  }

  /**
   * Makes the interpreter.
   * @throws what the worker reports, and what ended it meanwhile.
   */
  prepare(request: PrepareRequest): Promise<PrepareReport> {
    return this.orLost(this.connection.call(PrepareReport, (remote) => remote.prepare(request)));
  }

  /** Does what `boot` has to do anyway, for an interpreter that is kept ready. */
  async tryBlobUrls(): Promise<void> {
    const batch = await this.orLost(this.blobBatch);
    await this.orLost(this.connection.call(z.undefined(), (remote) => remote.tryBlobUrls(batch)));
  }

  /** Makes a base snapshot instead; end the worker then. */
  makeBaseSnapshot(pyodide: PyodideFiles): Promise<Uint8Array<ArrayBuffer>> {
    return this.orLost(this.connection.call(BytesSchema, (remote) => remote.makeBaseSnapshot(pyodide)));
  }

  /** From now on the worker belongs to this session. */
  bind(link: SessionLink): void {
    this.#link = link;
    for (const [method, handler] of link.handlers) this.#handlers.set(method, handler);
  }

  /** What `work` resolves to, unless the worker is lost first. */
  async orLost<T>(work: Promise<T>): Promise<T> {
    return Promise.race([
      work,
      this.lost.then((error) => {
        throw error;
      }),
    ]);
  }

  /** Ends the worker at once. */
  end(reason: Error = new WorkerStartError("it is not needed any more")): void {
    if (this.#link === undefined) {
      const { blobUrls } = this;
      this.blobBatch.then(
        (urls) => {
          blobUrls.revoke(urls);
        },
        () => undefined,
      );
    }
    this.connection.end(reason);
  }
}

/** WebKitGTK calls a page isolated and gives it no shared memory all the same. */
function canShareMemory(): boolean {
  return globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== "undefined";
}
