import { promisifyRequest } from "idb-keyval";

import { isRecord, namedMessageOf } from "../protocol/index.js";
import { isSameRecord } from "./backend.js";
import { StorageConflictError, StorageError, StorageReadError } from "./errors.js";

export interface PendingRead {
  readonly key: string;
  readonly resolve: (bytes: Uint8Array<ArrayBuffer> | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Fewer are read one by one as fast. */
const MANY = 20;

/** Reads records, in the transaction of `store`. */
export async function answerAll(store: IDBObjectStore, reads: readonly PendingRead[]): Promise<void> {
  const records = reads.length < MANY ? null : await readNeighbours(store, reads);
  await Promise.all(reads.map((read) => answer(store, read, records)));
}

/** Lists keys, in the transaction of `store`. */
export function readKeys(store: IDBObjectStore, range: IDBKeyRange): Promise<IDBValidKey[]> {
  return promisifyRequest(quiet(store.getAllKeys(range)));
}

async function answer(
  store: IDBObjectStore,
  { key, resolve, reject }: PendingRead,
  records: ReadonlyMap<string, unknown> | null,
): Promise<void> {
  try {
    const record = records === null ? await readRecord(store, key) : records.get(key);
    resolve(await bytesOf(store, key, record));
  } catch (error) {
    reject(readError(key, error));
  }
}

/**
 * A listing reads records that lie side by side: in one request, which takes a fraction of the time of hundreds. Null where
 * there are others between them, some are gone, or one cannot be read.
 */
async function readNeighbours(
  store: IDBObjectStore,
  reads: readonly PendingRead[],
): Promise<ReadonlyMap<string, unknown> | null> {
  // As IndexedDB sorts them.
  const keys = reads.map(({ key }) => key).sort();
  const [first] = keys;
  // Who asks twice gets bytes of their own each time.
  if (first === undefined || new Set(keys).size < keys.length) return null;
  const range = IDBKeyRange.bound(first, keys.at(-1));
  try {
    const there = await promisifyRequest(quiet(store.getAllKeys(range, keys.length + 1)));
    if (there.length !== keys.length || there.some((key, index) => key !== keys[index])) return null;
    const records = await promisifyRequest<unknown[]>(quiet(store.getAll(range)));
    return new Map(keys.map((key, index) => [key, records[index]]));
  } catch {
    return null;
  }
}

/**
 * Compares what is there with what is expected, in the transaction of `store`.
 *
 * @throws {StorageConflictError} for the first that differs. @throws {StorageReadError}
 */
export async function checkUnchanged(
  store: IDBObjectStore,
  expected: ReadonlyMap<string, Uint8Array | null>,
): Promise<void> {
  const found = Array.from(expected.keys(), async (key) => {
    try {
      return (await readBytes(store, key)) ?? null;
    } catch (error) {
      throw readError(key, error);
    }
  });
  const records = await Promise.all(found);
  for (const [index, [key, bytes]] of [...expected].entries()) {
    const record = records[index] ?? null;
    if (!isSameRecord(record, bytes)) throw new StorageConflictError(key, record);
  }
}

async function readBytes(store: IDBObjectStore, key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return bytesOf(store, key, await readRecord(store, key));
}

async function bytesOf(
  store: IDBObjectStore,
  key: string,
  record: unknown,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return record === undefined || isBytes(record) ? record : await readPieces(store, key, record);
}

function readRecord(store: IDBObjectStore, key: IDBValidKey): Promise<unknown> {
  return promisifyRequest<unknown>(quiet(store.get(key)));
}

/** Left alone, one unreadable record would abort the transaction and every other read in it. */
function quiet<T>(request: IDBRequest<T>): IDBRequest<T> {
  request.addEventListener("error", (event) => {
    event.preventDefault();
  });
  return request;
}

async function readPieces(store: IDBObjectStore, key: string, record: unknown): Promise<Uint8Array<ArrayBuffer>> {
  if (!isInPieces(record)) throw new StorageReadError(key, "it does not hold bytes");
  const bytes = new Uint8Array(record.size);
  let at = 0;
  for (let piece = 0; at < bytes.byteLength; piece += 1) {
    const read = await readRecord(store, [key, piece]);
    if (!isBytes(read) || read.byteLength === 0 || at + read.byteLength > bytes.byteLength) {
      throw new StorageReadError(key, "a piece of it is missing");
    }
    bytes.set(read, at);
    at += read.byteLength;
  }
  return bytes;
}

/** In place of bytes that are kept in pieces, under keys of their own: `[key, 0]`, `[key, 1]` and so on. */
interface InPieces {
  /** Bytes of all of them. */
  readonly size: number;
}

function isInPieces(record: unknown): record is InPieces {
  return isRecord(record) && typeof record.size === "number";
}

function isBytes(record: unknown): record is Uint8Array<ArrayBuffer> {
  return record instanceof Uint8Array && record.buffer instanceof ArrayBuffer;
}

/** Records and bytes that are handed to the browser in one go, which copies them meanwhile. */
const RECORDS_AT_ONCE = 200;
const BYTES_AT_ONCE = 8_000_000;

/**
 * Writes all entries. With pauses, in which the page goes on: a transaction lasts for as long as a request of it is
 * open.
 */
export async function putAll(store: IDBObjectStore, entries: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
  let records = 0;
  let size = 0;
  try {
    const before = store.getAllKeys(IDBKeyRange.lowerBound([]));
    const isUnknown = hasFailed(before);
    for (const { key, record } of recordsOf(entries)) {
      const request = record === null ? store.delete(key) : store.put(record, key);
      records += 1;
      size += record instanceof Uint8Array ? record.byteLength : 0;
      if (records < RECORDS_AT_ONCE && size < BYTES_AT_ONCE) continue;
      records = 0;
      size = 0;
      if (await hasFailed(request)) return;
    }
    if (await isUnknown) return;
    for (const piece of before.result) if (isLeftOver(piece, entries)) store.delete(piece);
  } catch (error) {
    // What was put before would be committed otherwise.
    store.transaction.abort();
    throw error;
  }
}

interface StoredRecord {
  readonly key: IDBValidKey;
  /** Null deletes it. */
  readonly record: Uint8Array | InPieces | null;
}

/** Large bytes become several records: each is copied, written and read in one go. */
function* recordsOf(entries: ReadonlyMap<string, Uint8Array | null>): Generator<StoredRecord> {
  for (const [key, bytes] of entries) {
    if (bytes === null || bytes.byteLength <= BYTES_AT_ONCE) {
      yield { key, record: bytes === null ? null : wholeBuffer(bytes) };
      continue;
    }
    yield { key, record: { size: bytes.byteLength } };
    for (let at = 0; at < bytes.byteLength; at += BYTES_AT_ONCE) {
      yield { key: [key, at / BYTES_AT_ONCE], record: bytes.slice(at, at + BYTES_AT_ONCE) };
    }
  }
}

/** Whether it is a piece of what one of the entries replaces, and no piece of that. */
function isLeftOver(piece: IDBValidKey, entries: ReadonlyMap<string, Uint8Array | null>): boolean {
  const [key, index]: readonly unknown[] = Array.isArray(piece) ? piece : [];
  if (typeof key !== "string" || typeof index !== "number") return false;
  const size = entries.get(key)?.byteLength ?? 0;
  return entries.has(key) && (size <= BYTES_AT_ONCE || index * BYTES_AT_ONCE >= size);
}

/** The reason is the transaction's to tell: this request may only have been open when another one failed. */
async function hasFailed(request: IDBRequest): Promise<boolean> {
  try {
    await promisifyRequest<unknown>(request);
    return false;
  } catch {
    return true;
  }
}

/** A structured clone of a view carries the whole buffer behind it. */
function wholeBuffer(bytes: Uint8Array): Uint8Array {
  const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
  return whole ? bytes : new Uint8Array(bytes);
}

export function readError(key: string, error: unknown): StorageError {
  return error instanceof StorageError ? error : new StorageReadError(key, namedMessageOf(error), { cause: error });
}
