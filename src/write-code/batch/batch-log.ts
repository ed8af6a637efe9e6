import type { WriteCodeEvent, WriteCodeEventBody } from "../events.js";
import type { WriteCodeOptions } from "../write-code-options.js";

/** Numbers the events of one batch and hands them to the page. */
export class BatchLog {
  readonly warnings: string[] = [];
  readonly #place: { readonly batchId: string; readonly callId: string };
  readonly #onEvent: WriteCodeOptions["onEvent"];
  #sequence = 0;

  constructor(place: { readonly batchId: string; readonly callId: string }, onEvent: WriteCodeOptions["onEvent"]) {
    this.#place = place;
    this.#onEvent = onEvent;
  }

  report(body: WriteCodeEventBody): void {
    const event: WriteCodeEvent = { ...body, ...this.#place, sequence: this.#sequence++, time: Date.now() };
    try {
      this.#onEvent?.(event);
    } catch (error) {
      // What a listener of the page throws is its own affair: it is reported and breaks nothing here.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** What is worth knowing though it went well. */
  warn(message: string): void {
    this.warnings.push(message);
    this.report({ type: "warning", message });
  }
}
