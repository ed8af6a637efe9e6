import type { McpMessage, McpTransport } from "./mcp-options.js";

/**
 * Carries MCP over a MessagePort, one message a JSON-RPC message. Made for both
 * ends: a server in a frame or a worker connects to it as the client here does.
 */
export function messagePortTransport(port: MessagePort): McpTransport {
  return new MessagePortTransport(port);
}

class MessagePortTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: McpMessage) => void) | undefined;
  readonly #port: MessagePort;
  #closed = false;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  start(): Promise<void> {
    this.#port.addEventListener("message", (event: MessageEvent<unknown>) => {
      if (this.#closed) return;
      const { data } = event;
      // What is no JSON-RPC message at all is not handed on; the SDK looks at the rest.
      if (typeof data !== "object" || data === null || !("jsonrpc" in data) || data.jsonrpc !== "2.0") {
        this.onerror?.(new TypeError("The other end of the port sent something that is no JSON-RPC message."));
        return;
      }
      this.onmessage?.(data);
    });
    this.#port.addEventListener("messageerror", () => {
      this.onerror?.(new TypeError("A message of the port could not be read."));
    });
    // Chromium and Firefox tell when the other end is gone.
    this.#port.addEventListener("close", () => {
      void this.close();
    });
    this.#port.start();
    return Promise.resolve();
  }

  send(message: McpMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The port is closed."));
    this.#port.postMessage(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#port.close();
    this.onclose?.();
    return Promise.resolve();
  }
}
