import type { BridgeEvent, BridgeRequest, MailboxReader } from "../../src/protocol/index.js";
import type { PageRequests } from "../page-requests.js";
import type { BridgeTransport } from "./transport.js";

/** Milliseconds after a request for which the thread stays awake: the time in which a tool of the page answers. */
const AWAKE = 1;

/** The worker's thread sleeps in `Atomics.wait`; answers come through shared memory. */
export class SharedMemoryTransport implements BridgeTransport {
  readonly kind = "shared-memory";
  readonly #requests: PageRequests;
  readonly #mailbox: MailboxReader;
  readonly #delivered: BridgeEvent[] = [];
  #awakeUntil = 0;

  constructor(requests: PageRequests, mailbox: MailboxReader) {
    this.#requests = requests;
    this.#mailbox = mailbox;
  }

  post(request: BridgeRequest): void {
    this.#requests.send(request);
    this.#awakeUntil = performance.now() + AWAKE;
  }

  wait(until: number): BridgeEvent[] {
    const events = this.#delivered.splice(0);
    // What is already there first; only an empty mailbox is waited for.
    let event = this.#mailbox.read(events.length > 0 ? 0 : until, this.#awakeUntil);
    while (event !== undefined) {
      events.push(event);
      event = this.#mailbox.read(0);
    }
    return events;
  }

  deliver(event: BridgeEvent): void {
    this.#delivered.push(event);
  }

  wake(): void {
    // A thread asleep hears no message; the mailbox itself carries the request to stop.
  }
}
