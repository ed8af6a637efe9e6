import type { Remote } from "comlink";

import type { BridgeEvent, BridgeRequest, MailboxReader, PageApi } from "../../src/protocol/index.js";
import { requestArguments } from "./request-arguments.js";
import type { BridgeTransport } from "./transport.js";

/** The worker's thread sleeps in `Atomics.wait`; answers come through shared memory. */
export class SharedMemoryTransport implements BridgeTransport {
  readonly kind = "shared-memory";
  // Kept, because Comlink makes a new proxy for every look at a property.
  readonly #request: Remote<PageApi>["request"];
  readonly #mailbox: MailboxReader;
  readonly #delivered: BridgeEvent[] = [];

  constructor(page: Remote<PageApi>, mailbox: MailboxReader) {
    this.#request = page.request;
    this.#mailbox = mailbox;
  }

  post(request: BridgeRequest): void {
    // Comlink's own answer is an empty receipt; the real one arrives in the mailbox.
    void this.#request(requestArguments(request));
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
