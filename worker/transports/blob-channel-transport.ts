import type { Remote } from "comlink";

import {
  decodeMail,
  readSpelling,
  readySign,
  type BridgeEvent,
  type BridgeRequest,
  type PageApi,
} from "../../src/protocol/index.js";
import { isAlive, readBlob } from "../blob-reader.js";
import type { InterruptSignal } from "../interrupt-signal.js";
import type { PageRequests } from "../page-requests.js";
import { RevocableSign } from "../revocable-sign.js";
import type { ThreadSleep } from "../thread-sleep.js";
import type { BridgeTransport } from "./transport.js";

/** Milliseconds between two looks for mail, at least and at most. */
const SHORTEST_SLEEP = 0.2;
const LONGEST_SLEEP = 25;
/** The next look comes after so much of the time already waited. */
const PATIENCE = 0.1;
/** How often a spelling is read that leads nowhere: one failed request among the bits is enough for that. */
const READINGS = 3;

export interface BlobChannelOptions {
  readonly requests: PageRequests;
  /** The first batch of URLs. */
  readonly batch: readonly string[];
  readonly sleep: ThreadSleep;
  readonly signal: InterruptSignal;
}

/**
 * The worker's thread reads blobs by synchronous requests, and sleeps between
 * them: for browsers without JSPI, where memory cannot be shared.
 */
export class BlobChannelTransport implements BridgeTransport {
  readonly kind = "blob-channel";
  readonly #requests: PageRequests;
  // Kept, because Comlink makes a new proxy for every look at a property.
  readonly #taken: Remote<PageApi>["taken"];
  readonly #sleep: ThreadSleep;
  readonly #signal: InterruptSignal;
  readonly #delivered: BridgeEvent[] = [];
  #batch: readonly string[];
  #readySign: RevocableSign;
  #lastLook = 0;

  constructor(page: Remote<PageApi>, { requests, batch, sleep, signal }: BlobChannelOptions) {
    this.#requests = requests;
    this.#taken = page.taken;
    this.#batch = batch;
    this.#readySign = new RevocableSign(readySign(batch));
    this.#sleep = sleep;
    this.#signal = signal;
  }

  post(request: BridgeRequest): void {
    this.#requests.send(request);
  }

  wait(until: number): BridgeEvent[] {
    const events = this.#delivered.splice(0);
    const start = performance.now();
    // A loop that is busy asks at every turn, and each look is a request.
    if (until <= start && start - this.#lastLook < SHORTEST_SLEEP) return events;
    for (;;) {
      // Reading a mail takes long; whoever is to be interrupted now reads it afterwards.
      if (this.#signal.isDue(performance.now())) return events;
      events.push(...this.#readMail());
      const now = performance.now();
      if (events.length > 0 || now >= until) return events;
      const pause = Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, (now - start) * PATIENCE));
      this.#sleep(Math.max(0, Math.min(pause, until - now)));
    }
  }

  deliver(event: BridgeEvent): void {
    this.#delivered.push(event);
  }

  wake(): void {
    // A thread asleep hears no message; it looks at the stop sign itself.
  }

  #readMail(): readonly BridgeEvent[] {
    const isHere = this.#readySign.isGone();
    this.#lastLook = performance.now();
    if (!isHere) return [];
    const { number, nextBatch, events } = decodeMail(this.#readAddressed());
    this.#batch = nextBatch;
    this.#readySign = new RevocableSign(readySign(nextBatch));
    void this.#taken(number);
    // An answer may be the consequence of a stop, which then must be heard first.
    this.#signal.lookAgain();
    return events;
  }

  #readAddressed(): Uint8Array<ArrayBuffer> {
    for (let reading = 0; reading < READINGS; reading += 1) {
      const mail = readBlob(readSpelling(this.#batch, (url) => !isAlive(url)));
      if (mail !== undefined) return mail;
    }
    throw new Error("The page sent an answer that could not be found. The interpreter has to be started anew.");
  }
}
