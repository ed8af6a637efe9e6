import type { Transport } from "@modelcontextprotocol/client";

/**
 * The SDK hands a report on in a microtask and an answer at once. Of a piece that has both, as a stream of the older
 * transport may bring it, the report would come too late to be heard.
 */
export function deliverReportsFirst(transport: Transport): void {
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if ("method" in message) deliver?.(message, extra);
    else queueMicrotask(() => deliver?.(message, extra));
  };
}
