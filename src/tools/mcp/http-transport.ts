import { StreamableHTTPClientTransport, type JSONRPCMessage, type RequestId } from "@modelcontextprotocol/client";

import type { VitrineError } from "../../protocol/index.js";

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/**
 * Streamable HTTP in which a request whose answer cannot come any more fails at
 * once: the SDK's transport lets it wait until its time is over.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #waiting = new Set<RequestId>();
  endedError: (() => VitrineError) | undefined;

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const id = requestIdOf(message);
    if (id === undefined) return super.send(message, options);
    this.#waiting.add(id);
    await super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        if (this.endedError !== undefined) this.fail(id, this.endedError());
      },
    });
  }

  /** To be called once the connection stands: from then on answers are seen as they pass. */
  watchAnswers(): void {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
      deliver?.(message);
    };
  }

  /** Ends a request that was not answered; what waits for it gets `error` as the `data` of a protocol error. */
  fail(id: RequestId, error: VitrineError): void {
    if (!this.#waiting.has(id)) return;
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32000, message: error.message, data: error } });
  }
}

function requestIdOf(message: JSONRPCMessage | JSONRPCMessage[]): RequestId | undefined {
  return !Array.isArray(message) && "method" in message && "id" in message ? message.id : undefined;
}
