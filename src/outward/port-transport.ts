import type { McpServiceTransport } from "./serve-mcp.js";

/** Carries MCP over a port: a message of the port is a message of the protocol. */
export function portTransport(port: MessagePort): McpServiceTransport {
  let isOpen = true;
  const transport: McpServiceTransport = {
    start: () => {
      port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (!isOpen) return;
        if (typeof data === "object" && data !== null) transport.onmessage?.(data);
        else transport.onerror?.(new TypeError("What came through the port is no message of MCP."));
      });
      port.addEventListener("messageerror", () => {
        transport.onerror?.(new TypeError("What came through the port could not be read."));
      });
      // Where the browser tells that the other end is gone.
      port.addEventListener("close", () => void transport.close());
      port.start();
      return Promise.resolve();
    },
    send: (message) => {
      if (!isOpen) return Promise.reject(new Error("The port was closed."));
      port.postMessage(message);
      return Promise.resolve();
    },
    close: () => {
      if (!isOpen) return Promise.resolve();
      isOpen = false;
      port.close();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}
