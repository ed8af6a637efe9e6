export {
  connectBridge,
  encodeError,
  UnknownMethodError,
  type BridgeConnection,
  type BridgeContext,
  type BridgeHandler,
  type BridgeOptions,
} from "./bridge-server.js";
