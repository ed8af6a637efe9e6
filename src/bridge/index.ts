export {
  connectBridge,
  type BridgeConnection,
  type BridgeContext,
  type BridgeHandler,
  type BridgeOptions,
  type RemoteWorker,
} from "./bridge-server.js";
