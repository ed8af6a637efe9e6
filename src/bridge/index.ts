export * from "./public.js";
export { BlobChannel, createBatch } from "./blob-channel.js";
export {
  LONGEST_TEXT,
  connectBridge,
  type BridgeConnection,
  type BridgeContext,
  type BridgeHandler,
  type BridgeOptions,
  type RemoteWorker,
} from "./bridge-server.js";
export { sharedMemoryOutbox, type Outbox } from "./outbox.js";
