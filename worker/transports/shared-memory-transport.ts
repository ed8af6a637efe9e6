import type { BridgeEvent, BridgeRequest, MailboxReader } from "../../src/protocol/index.js";
import type { PageRequests } from "../page-requests.js";
import type { BridgeTransport } from "./transport.js";

/** The worker's thread sleeps in `Atomics.wait`; answers come through shared memory. */
export class SharedMemoryTransport implements BridgeTransport {
  readonly kind = "shared-memory";
  readonly #requests: PageRequests;
  readonly #mailbox: MailboxReader;
  readonly #delivered: BridgeEvent[] = [];

  constructor(requests: PageRequests, mailbox: MailboxReader) {
    this.#requests = requests;
    this.#mailbox = mailbox;
  }

  post(request: BridgeRequest): void {
    this.#requests.send(request);
  }

  wait(until: number): BridgeEvent[] {
    const events = this.#delivered.splice(0);
    // What is already there first; only an empty mailbox is waited for.
    let event = this.#mailbox.read(events.length > 0 ? 0 : until);
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
