import type { BridgeEvent } from "../../src/protocol/index.js";
import type { InterruptSignal } from "../interrupt-signal.js";
import type { BridgeTransport } from "./transport.js";

/** Milliseconds between two looks for events, at least and at most. */
const SHORTEST = 1;
const LONGEST = 25;
/** The next look comes after so much of the time already waited. */
const PATIENCE = 0.1;

/**
 * Waits for the page while the worker's JavaScript goes on, so that promises settle. A transport that would stop the
 * thread is looked at again and again instead.
 */
export class BesideWait {
  readonly #transport: BridgeTransport | null;
  readonly #signal: InterruptSignal;
  #wakes = 0;
  #endPause: (() => void) | undefined;

  constructor(transport: BridgeTransport | null, signal: InterruptSignal) {
    this.#transport = transport;
    this.#signal = signal;
  }

  /** As the transport's own `wait`. */
  async wait(until: number): Promise<BridgeEvent[]> {
    const transport = this.#transport;
    if (transport === null) return [];
    if (transport.kind === "jspi") return transport.wait(until);
    const wakes = this.#wakes;
    const start = performance.now();
    for (let now = start; ; now = performance.now()) {
      // Before the first look too: whoever only yields lets JavaScript have its turn.
      await this.#pause(Math.min(LONGEST, Math.max(SHORTEST, (now - start) * PATIENCE), until - now));
      const events = await transport.wait(0);
      const end = performance.now();
      if (events.length > 0 || this.#wakes !== wakes || end >= until || this.#signal.isDue(end)) return events;
    }
  }

  /** Ends the wait early. */
  wake(): void {
    this.#wakes += 1;
    this.#endPause?.();
    this.#transport?.wake();
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#endPause = undefined;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#endPause = end;
    });
  }
}
