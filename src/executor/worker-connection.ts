import type { z } from "zod";

import {
  connectBridge,
  type BridgeConnection,
  type BridgeOptions,
  type Outbox,
  type RemoteWorker,
} from "../bridge/index.js";
import { ProtocolViolationError, type SentEvent } from "../protocol/index.js";
import type { SpawnedWorker } from "./hosts/worker-host.js";

/**
 * One worker from its spawning to its end. Comlink leaves a call unanswered for
 * ever when its port closes; here it fails with what ended the worker.
 */
export class WorkerConnection {
  readonly #spawned: SpawnedWorker;
  readonly #bridge: BridgeConnection;
  /** By which the calls fail that wait for an answer. */
  readonly #waiting = new Set<(reason: Error) => void>();
  #endedBy: Error | undefined;

  constructor(spawned: SpawnedWorker, options: BridgeOptions) {
    this.#spawned = spawned;
    this.#bridge = connectBridge(spawned.port, options);
  }

  /**
   * Calls the worker and parses its answer.
   * @throws {ProtocolViolationError} when the answer has another form than `schema`.
   */
  async call<T>(schema: z.ZodType<T>, ask: (worker: RemoteWorker) => Promise<unknown>): Promise<T> {
    const parsed = schema.safeParse(await this.#unlessEnded(() => ask(this.#bridge.worker)));
    if (parsed.success) return parsed.data;
    throw new ProtocolViolationError("an answer of unknown form");
  }

  /** From now on events go there: the worker hears no messages while it waits. */
  use(outbox: Outbox): void {
    this.#bridge.use(outbox);
  }

  send(event: SentEvent): void {
    if (this.#endedBy === undefined) this.#bridge.send(event);
  }

  /** Ends the worker at once; open calls fail with `reason`. */
  end(reason: Error): void {
    if (this.#endedBy !== undefined) return;
    this.#endedBy = reason;
    this.#bridge.close();
    this.#spawned.terminate();
    for (const fail of this.#waiting) fail(reason);
    this.#waiting.clear();
  }

  /** Not by a race with a promise of the end: each would leave its answer with that promise, as long as the worker lives. */
  async #unlessEnded(ask: () => Promise<unknown>): Promise<unknown> {
    if (this.#endedBy !== undefined) throw this.#endedBy;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.add(reject);
    try {
      ask().then(resolve, reject);
      return await promise;
    } finally {
      this.#waiting.delete(reject);
    }
  }
}
