import type { BridgeEvent, BridgeRequest, EncodedValue } from "../../src/protocol/index.js";
import type { PageRequests } from "../page-requests.js";
import type { BridgeTransport } from "./transport.js";

/** Python is suspended on a promise (JavaScript Promise Integration) while the worker goes on hearing messages. */
export class JspiTransport implements BridgeTransport {
  readonly kind = "jspi";
  readonly #requests: PageRequests;
  readonly #events: BridgeEvent[] = [];
  #wake: (() => void) | undefined;

  constructor(requests: PageRequests) {
    this.#requests = requests;
  }

  post(request: BridgeRequest): void {
    this.#requests.ask(request).then(
      (event) => {
        if (event !== undefined) this.deliver(event);
      },
      (error: unknown) => {
        this.deliver({ kind: "failure", id: request.id, payload: unanswered(error) });
      },
    );
  }

  wait(until: number): Promise<BridgeEvent[]> {
    const remaining = until - performance.now();
    if (this.#events.length > 0 || remaining <= 0) return Promise.resolve(this.#events.splice(0));
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(this.#events.splice(0));
      };
      const timer = remaining === Infinity ? undefined : setTimeout(finish, remaining);
      this.#wake = finish;
    });
  }

  deliver(event: BridgeEvent): void {
    this.#events.push(event);
    this.wake();
  }

  wake(): void {
    this.#wake?.();
  }
}

function unanswered(error: unknown): EncodedValue {
  const message = `The page could not answer: ${String(error)}`;
  const failure = { name: "RPCTransportError", code: "BRIDGE_FAILED", message, details: {} };
  return { text: JSON.stringify(failure), buffers: [] };
}
