export type { StorageBackend } from "./backend.js";
export {
  StorageBlockedError,
  StorageError,
  StorageFormatError,
  StorageFullError,
  StorageReadError,
  StorageWriteError,
} from "./errors.js";
export { indexedDBStorage, type IndexedDBStorageOptions } from "./indexed-db.js";
export { memoryStorage, type MemoryStorageOptions } from "./memory.js";
