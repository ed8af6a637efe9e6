import type { z } from "zod";

import {
  connectBridge,
  type BridgeConnection,
  type BridgeOptions,
  type Outbox,
  type RemoteWorker,
} from "../bridge/index.js";
import { ProtocolViolationError, type BridgeEvent } from "../protocol/index.js";
import type { SpawnedWorker } from "./hosts/worker-host.js";

/**
 * One worker from its spawning to its end. Comlink leaves a call unanswered for
 * ever when its port closes; here it fails with what ended the worker.
 */
export class WorkerConnection {
  readonly #spawned: SpawnedWorker;
  readonly #bridge: BridgeConnection;
  readonly #end = Promise.withResolvers<never>();
  #isOpen = true;

  constructor(spawned: SpawnedWorker, options: BridgeOptions) {
    this.#spawned = spawned;
    this.#bridge = connectBridge(spawned.port, options);
    this.#end.promise.catch(() => undefined);
  }

  /**
   * Calls the worker and parses its answer.
   * @throws {ProtocolViolationError} when the answer has another form than `schema`.
   */
  async call<T>(schema: z.ZodType<T>, ask: (worker: RemoteWorker) => Promise<unknown>): Promise<T> {
    const parsed = schema.safeParse(await Promise.race([ask(this.#bridge.worker), this.#end.promise]));
    if (parsed.success) return parsed.data;
    throw new ProtocolViolationError("an answer of unknown form");
  }

  /** From now on events go there: the worker hears no messages while it waits. */
  use(outbox: Outbox): void {
    this.#bridge.use(outbox);
  }

  send(event: BridgeEvent): void {
    if (this.#isOpen) this.#bridge.send(event);
  }

  /** Ends the worker at once; open calls fail with `reason`. */
  end(reason: Error): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#bridge.close();
    this.#spawned.terminate();
    this.#end.reject(reason);
  }
}
