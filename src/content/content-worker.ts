import { WorkerStartError, type SpawnedWorker, type WorkerHost } from "../executor/index.js";
import { firstMessage, ContentAnswer, type ContentFinding, type ContentOrder } from "../protocol/index.js";
import { ContentCheckEndedError } from "./errors.js";

interface CurrentCheck {
  readonly id: number;
  resolve(finding: ContentFinding): void;
}

/** A worker that looks into content, from its start to its end. One content at a time. */
export class ContentWorker {
  readonly #spawned: SpawnedWorker;
  #isOver = false;
  #current: CurrentCheck | undefined;
  #lastId = 0;

  private constructor(spawned: SpawnedWorker) {
    this.#spawned = spawned;
    spawned.port.onmessage = ({ data }: MessageEvent<unknown>) => {
      this.#hear(data);
    };
    const fail = ({ message }: Error): void => {
      this.#giveUp(broke(`what reads it failed: ${message}`));
    };
    void spawned.failed.then(fail);
    void spawned.removed.then(fail);
  }

  /** @throws {WorkerStartError} @throws {CspBlockedError} */
  static async start(host: WorkerHost): Promise<ContentWorker> {
    // The parsers of all formats, needed by nobody who validates nothing.
    const { default: source } = await import("virtual:content-worker");
    const spawned = await host.spawn(source);
    try {
      await firstMessage(spawned, readyIn, (why) => new WorkerStartError(`its script ${why}`));
      return new ContentWorker(spawned);
    } catch (error) {
      spawned.terminate();
      throw error;
    }
  }

  /** Whether it checks nothing any more. */
  get isOver(): boolean {
    return this.#isOver || this.#spawned.removal() !== undefined;
  }

  /**
   * Looks into one content. What takes longer than its limit ends the worker, and so does the signal.
   *
   * Bytes are handed over: the caller has them no more.
   *
   * @throws {ContentCheckEndedError} when the signal is aborted.
   */
  async check(order: Omit<ContentOrder, "kind" | "id">, signal: AbortSignal): Promise<ContentFinding> {
    if (signal.aborted) throw ContentCheckEndedError.from(signal);
    const id = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<ContentFinding>();
    this.#current = { id, resolve };
    const late = setTimeout(() => {
      const seconds = String(order.limits.time / 1000);
      this.#giveUp({ kind: "fault", code: "validation_timeout", reason: `it was not read within ${seconds} s` });
    }, order.limits.time);
    const abort = (): void => {
      this.end();
      reject(ContentCheckEndedError.from(signal));
    };
    signal.addEventListener("abort", abort);
    try {
      const message: ContentOrder = { kind: "check", id, ...order };
      this.#spawned.port.postMessage(message, typeof order.content === "string" ? [] : [order.content.buffer]);
      return await promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", abort);
      this.#current = undefined;
    }
  }

  /** Ends the worker at once, whatever it is doing. Nobody may be waiting for it. */
  end(): void {
    this.#isOver = true;
    this.#spawned.terminate();
  }

  #hear(data: unknown): void {
    const { success, data: answer } = ContentAnswer.safeParse(data);
    if (!success) this.#giveUp(broke("what reads it sent a message of unknown form"));
    else if (answer.kind === "checked" && answer.id === this.#current?.id) this.#current.resolve(answer.finding);
  }

  #giveUp(finding: ContentFinding): void {
    this.end();
    this.#current?.resolve(finding);
  }
}

function broke(reason: string): ContentFinding {
  return { kind: "fault", code: "validation_broke", reason };
}

function readyIn(data: unknown): true | undefined {
  return ContentAnswer.safeParse(data).data?.kind === "ready" ? true : undefined;
}
