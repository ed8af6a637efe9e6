import { transfer } from "comlink";

import type { BridgeRequest } from "../../src/protocol/index.js";

/** Marks the bytes of a request for transfer: they were copied out of the interpreter for this message alone. */
export function requestArguments(request: BridgeRequest): BridgeRequest {
  const { buffers } = request.payload;
  return buffers.length === 0
    ? request
    : transfer(
        request,
        buffers.map((bytes) => bytes.buffer),
      );
}
