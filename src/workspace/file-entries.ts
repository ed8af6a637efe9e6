import type { TrustLevel } from "../protocol/index.js";
import { encodeJson } from "../storage/index.js";
import { DATA_PREFIX, INDEX_PREFIX, type FileRecord } from "./file-table.js";

/** A file of a workspace. */
export interface WorkspaceFile {
  /** Relative to `/workspace`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Another one for each content that is written, by whichever tab. */
  readonly version: string;
  readonly modifiedAt: Date;
  /** The level of the session that wrote it; absent for one that a person put there. */
  readonly trust?: TrustLevel;
}

/** As the page sees it. */
export function fileOf([path, { size, version, modifiedAt, trust }]: readonly [
  path: string,
  FileRecord,
]): WorkspaceFile {
  const file = { path, size, version, modifiedAt: new Date(modifiedAt) };
  return trust === undefined ? file : { ...file, trust };
}

/** Beside the bytes of a content that is written now. */
export function recordOf(content: Uint8Array, trust?: TrustLevel): FileRecord {
  const version = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
  const record = { size: content.byteLength, version, modifiedAt: new Date().toISOString() };
  return trust === undefined ? record : { ...record, trust };
}

/** What is stored of a file; null where it is deleted. */
export function fileEntries(
  path: string,
  content: Uint8Array | null,
  record?: FileRecord,
): Map<string, Uint8Array | null> {
  return new Map([
    [INDEX_PREFIX + path, record === undefined ? null : encodeJson(record)],
    [DATA_PREFIX + path, content],
  ]);
}
