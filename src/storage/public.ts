export type { StorageBackend, StorageWriteOptions } from "./backend.js";
export {
  StorageBlockedError,
  StorageConflictError,
  StorageError,
  StorageFormatError,
  StorageFullError,
  StorageReadError,
  StorageWriteError,
} from "./errors.js";
export { indexedDBStorage, type IndexedDBStorageOptions } from "./indexed-db.js";
export { memoryStorage, type MemoryStorageOptions } from "./memory.js";
