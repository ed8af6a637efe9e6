import { BATCH_SIZE, countForOneGo, encodeMail, spell, type SentEvent } from "../protocol/index.js";
import type { Outbox } from "./outbox.js";

/**
 * Blob URLs made in a document of the worker's own origin. A worker of an opaque
 * origin can read no others, and in Chromium not even its own.
 */
export interface BlobUrls {
  /** So many URLs of one blob. Takes effect in the order of calls, with `revoke`. */
  create(blob: Blob, count: number): Promise<readonly string[]>;
  /** Revokes them one after the other. */
  revoke(urls: readonly string[]): void;
}

interface OpenMail {
  readonly number: number;
  /** The mail's own and those that spelt it. */
  readonly urls: readonly string[];
}

/**
 * Hands events to a worker that can do nothing but read blobs. One mail is out
 * at a time, with all that has come until then and can be copied in one go: reading
 * an address costs the worker more than a hundred requests.
 */
export class BlobChannel implements Outbox {
  readonly #urls: BlobUrls;
  readonly #queue: Exclude<SentEvent, { kind: "interrupt" }>[] = [];
  /** The batch that the worker has and that spells nothing yet. */
  #batch: readonly string[];
  #nextBatch: Promise<readonly string[]>;
  #mail: OpenMail | undefined;
  #mailCount = 0;
  #isSending = false;
  #isClosed = false;

  /** @param batch - the first one, which the worker is given when it boots: see `createBatch`. */
  constructor(urls: BlobUrls, batch: readonly string[]) {
    this.#urls = urls;
    this.#batch = batch;
    this.#nextBatch = createBatch(urls);
  }

  send(event: SentEvent): void {
    // A request to interrupt has a URL of its own.
    if (this.#isClosed || event.kind === "interrupt") return;
    this.#queue.push(event);
    void this.#sendQueue();
  }

  taken(mail: number): void {
    if (this.#mail?.number !== mail) return;
    this.#urls.revoke(this.#mail.urls);
    this.#mail = undefined;
    void this.#sendQueue();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#urls.revoke([...(this.#mail?.urls ?? []), ...this.#batch]);
    void this.#nextBatch.then((batch) => {
      this.#urls.revoke(batch);
    });
  }

  async #sendQueue(): Promise<void> {
    if (this.#isSending || this.#mail !== undefined || this.#queue.length === 0) return;
    this.#isSending = true;
    const nextBatch = await this.#nextBatch;
    if (!this.#isClosed) await this.#sendMail(nextBatch);
    this.#isSending = false;
  }

  async #sendMail(nextBatch: readonly string[]): Promise<void> {
    const number = (this.#mailCount += 1);
    const events = this.#queue.splice(0, countForOneGo(this.#queue));
    const urls = await this.#urls.create(encodeMail({ number, nextBatch, events }), 1);
    const [address] = urls;
    if (this.#isClosed || address === undefined) {
      this.#urls.revoke(urls);
      return;
    }
    const batch = this.#batch;
    this.#mail = { number, urls: [address, ...batch] };
    this.#batch = nextBatch;
    this.#urls.revoke(spell(address, batch));
    this.#nextBatch = createBatch(this.#urls);
  }
}

/** What a worker needs to find its first mail. */
export function createBatch(urls: BlobUrls): Promise<readonly string[]> {
  return urls.create(new Blob([]), BATCH_SIZE);
}
