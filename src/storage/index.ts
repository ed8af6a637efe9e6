export * from "./public.js";
export { ChangeListeners } from "./change-listeners.js";
export { JsonValueError } from "./errors.js";
export { heldLocks, takeLock, type ExclusiveLock } from "./exclusive-lock.js";
export { parsePythonJson, stringifyPythonJson } from "./json-text.js";
export {
  decodeJson,
  decodeText,
  decodeLargeText,
  encodeJson,
  encodeText,
  hasRecord,
  ignoreDamage,
  listJson,
  listKeys,
  OrderNumbers,
  readJson,
} from "./records.js";
export { overlayStorage } from "./overlay.js";
export { findClash, pathFault, type PathFault } from "./relative-path.js";
export { seedStorage } from "./seed.js";
export { SegmentWriter } from "./segment-writer.js";
export { Sha256, sha256 } from "./sha256.js";
export { StoredSizes, type SizeLimits } from "./stored-sizes.js";
