import type { StorageBackend } from "../../../src/storage/index.js";
import type { WrittenFile } from "../../../src/write-code/log/written-file.js";

/** Where the logs lie. */
export const KEYS = { files: "write-code/files.json", code: "write-code/code.json" } as const;

/** A file as a batch has written it. */
export const file = (path: string, more: Partial<WrittenFile> = {}): WrittenFile => ({
  ...{ path, operation: "create", description: `What ${path} is for`, text: `# ${path}\n`, model: "large" },
  ...more,
});

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A store that may be changed in part. */
export function bound(backend: StorageBackend): StorageBackend {
  return {
    get: (key) => backend.get(key),
    write: (entries, options) => backend.write(entries, options),
    keys: (prefix) => backend.keys(prefix),
    close: () => {
      backend.close();
    },
  };
}
