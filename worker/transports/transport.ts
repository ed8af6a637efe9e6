import type { BridgeEvent, BridgeRequest, TransportKind } from "../../src/protocol/index.js";

/**
 * One way for Python to wait for the page; everything that blocks stands on it.
 */
export interface BridgeTransport {
  readonly kind: TransportKind;
  /** Sends a request. Its answer is an event of a later `wait`. */
  post(request: BridgeRequest): void;
  /**
   * Waits for the page. Answers with the events in the order the page sent them,
   * none when `until` (milliseconds, `performance.now`) passed first. A transport
   * that cannot stop its thread answers with a promise, on which Python is suspended.
   */
  wait(until: number): BridgeEvent[] | Promise<BridgeEvent[]>;
  /** Takes an event that came as an ordinary message. */
  deliver(event: BridgeEvent): void;
  /** Ends a wait early: there is a request to stop. */
  wake(): void;
}
