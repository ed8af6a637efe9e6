import { createStore, promisifyRequest, type UseStore } from "idb-keyval";

import { checkArgument, optionCheck } from "../options/index.js";
import { namedMessageOf } from "../protocol/index.js";
import { sizeOf, type StorageBackend, type StorageWriteOptions } from "./backend.js";
import {
  StorageBlockedError,
  StorageClosedError,
  StorageError,
  StorageFormatError,
  StorageFullError,
  StorageWriteError,
} from "./errors.js";
import { answerAll, checkUnchanged, putAll, readError, readKeys, type PendingRead } from "./indexed-db-records.js";

/** How long a database may take to open. */
export interface IndexedDBStorageOptions {
  /** How long the browser may take to open the database, in milliseconds. Default 10,000. */
  openTimeout?: number;
}

const checkOptions = optionCheck<IndexedDBStorageOptions>("indexedDBStorage", { openTimeout: "number?" });

/**
 * A store in the browser's IndexedDB database `name`: one record an item, pieces
 * of 8 MB for larger ones, one transaction a write. The database is opened by the first call, so that a
 * browser that forbids it fails there.
 *
 * A tab that closes in the middle of a write leaves all of it or nothing. Whether
 * a finished write survives a power cut is up to the browser.
 *
 * @throws {OptionError}
 */
export function indexedDBStorage(name: string, options: IndexedDBStorageOptions = {}): StorageBackend {
  checkArgument("indexedDBStorage", "name", name, "string");
  checkOptions(options);
  return new IndexedDBStorage(name, options.openTimeout ?? 10_000);
}

const RECORDS = "records";

// Numbers, so that no listing of string keys ever meets them.
const IDENTITY_KEY = 0;
const FORMAT_KEY = 1;

/**
 * What the records mean. A release that changes it raises the database's version in the transaction that rewrites them:
 * tabs with an older release then lose their connection and see the new number when they connect again.
 */
const FORMAT = 1;

/** Steps that follow from one another in one transaction: a write waits for its end. */
const LONGEST_CHAIN = 100;

interface Connection {
  readonly database: IDBDatabase;
  readonly use: UseStore;
  /** Made with the database, so that another one of the same name has another. */
  readonly identity: string;
}

class IndexedDBStorage implements StorageBackend {
  readonly #name: string;
  readonly #openTimeout: number;
  #connection: Promise<Connection> | undefined;
  #database: IDBDatabase | undefined;
  #identity: string | undefined;
  /** Why the store is of no use any more. */
  #end: StorageError | undefined;
  #reads: PendingRead[] = [];
  #reading: { readonly store: IDBObjectStore; left: number } | undefined;
  #active = 0;

  constructor(name: string, openTimeout: number) {
    this.#name = name;
    this.#openTimeout = openTimeout;
  }

  get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) throw this.#end;
      // A listing asks for hundreds of records at once; they share a transaction.
      if (this.#reads.length === 0) void this.#track(() => this.#readSoon());
      this.#reads.push({ key, resolve, reject });
    });
  }

  async write(
    entries: ReadonlyMap<string, Uint8Array | null>,
    { ifUnchanged = new Map() }: StorageWriteOptions = {},
  ): Promise<void> {
    if (this.#end !== undefined) throw this.#end;
    const [firstKey] = [...entries.keys(), ...ifUnchanged.keys()];
    if (firstKey === undefined) return;
    // What is read from now on is to see it.
    this.#reading = undefined;
    const write = async (store: IDBObjectStore): Promise<void> => {
      // Nothing was put yet where it throws, so that the transaction ends by itself.
      if (ifUnchanged.size > 0) await checkUnchanged(store, ifUnchanged);
      if (entries.size === 0) return;
      const commit = committed(store.transaction);
      commit.catch(() => undefined);
      await putAll(store, entries);
      await commit;
    };
    try {
      await this.#track(() => this.#use("readwrite", write));
    } catch (error) {
      if (error instanceof StorageError) throw error;
      if (isQuotaError(error)) throw new StorageFullError(sizeOf(entries), { cause: error });
      throw new StorageWriteError(firstKey, namedMessageOf(error), { cause: error });
    }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    if (this.#end !== undefined) throw this.#end;
    const range = rangeOf(prefix);
    const keys = await this.#track(() => this.#read((store) => readKeys(store, range))).catch((error: unknown) => {
      throw readError(prefix, error);
    });
    for (const key of keys) if (typeof key === "string") yield key;
  }

  close(): void {
    this.#end ??= new StorageClosedError(this.#name);
    this.#closeWhenIdle();
  }

  async #readSoon(): Promise<void> {
    await Promise.resolve();
    const reads = this.#reads;
    this.#reads = [];
    try {
      await this.#read((store) => answerAll(store, reads));
    } catch (error) {
      for (const { key, reject } of reads) reject(readError(key, error));
    }
  }

  /** What follows at once from an answer is read in the transaction of that answer: to begin one takes longer than to read. */
  async #read<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    const reading = this.#reading;
    if (reading !== undefined && reading.left > 0 && isActive(reading.store)) {
      reading.left -= 1;
      return work(reading.store);
    }
    return this.#use("readonly", (store) => {
      this.#reading = { store, left: LONGEST_CHAIN };
      return work(store);
    });
  }

  /** Keeps the connection open while `work` lasts, though `close` may have been called. */
  async #track<T>(work: () => Promise<T>): Promise<T> {
    this.#active += 1;
    try {
      return await work();
    } finally {
      this.#active -= 1;
      this.#closeWhenIdle();
    }
  }

  #closeWhenIdle(): void {
    if (this.#end !== undefined && this.#active === 0) this.#database?.close();
  }

  async #use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    const connection = await this.#connect();
    const transaction = { started: false };
    const start = (store: IDBObjectStore): Promise<T> => {
      transaction.started = true;
      return work(store);
    };
    try {
      return await connection.use(mode, start);
    } catch (error) {
      // Safari closes connections of its own accord, sometimes without the event; a new one usually works.
      if (transaction.started || !hasName(error, "InvalidStateError")) throw error;
      this.#forget(connection.database);
      return await (await this.#connect()).use(mode, work);
    }
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.#open().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #open(): Promise<Connection> {
    const connection = await this.#openDatabase();
    this.#identity ??= connection.identity;
    if (this.#identity === connection.identity) return connection;
    connection.database.close();
    this.#end = new StorageBlockedError(
      `The database "${this.#name}" was deleted while it was in use: what it held is gone.`,
      "Reload the page to start with an empty one.",
    );
    throw this.#end;
  }

  async #openDatabase(): Promise<Connection> {
    const use = createStore(this.#name, RECORDS);
    // An async function, because a browser that forbids IndexedDB throws from `indexedDB.open` itself.
    const open = async (): Promise<Connection> =>
      await use("readwrite", async (store) => {
        const { db: database } = store.transaction;
        this.#watch(database);
        await checkFormat(this.#name, store);
        return { database, use, identity: await readIdentity(store) };
      });
    try {
      return await withTimeout(open(), { name: this.#name, timeout: this.#openTimeout });
    } catch (error) {
      if (error instanceof StorageError) throw error;
      if (isQuotaError(error)) throw new StorageFullError(0, { cause: error });
      throw blockedError(this.#name, error);
    }
  }

  #watch(database: IDBDatabase): void {
    this.#database = database;
    // Another tab deletes or upgrades the database and would wait for this connection forever.
    database.addEventListener("versionchange", () => {
      database.close();
      this.#forget(database);
    });
    database.addEventListener("close", () => {
      this.#forget(database);
    });
  }

  /** The next call opens a new connection, and sees there whether it is still the same database. */
  #forget(database: IDBDatabase): void {
    if (this.#database !== database) return;
    this.#database = undefined;
    this.#connection = undefined;
  }
}

// Not idb-keyval's `promisifyRequest`: a failing put bubbles here before the transaction knows its error.
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => {
      resolve();
    });
    transaction.addEventListener("abort", () => {
      reject(transaction.error ?? new DOMException("The browser aborted the transaction.", "AbortError"));
    });
  });
}

/** Whether its transaction takes requests now. What is no key is refused for that only where it does. */
function isActive(store: IDBObjectStore): boolean {
  try {
    store.getKey(NaN);
    return false;
  } catch (error) {
    return hasName(error, "DataError");
  }
}

function rangeOf(prefix: string): IDBKeyRange {
  // Arrays sort after all strings.
  return IDBKeyRange.bound(prefix, afterPrefix(prefix) ?? [], false, true);
}

/** The first string that sorts after everything that starts with `prefix`. */
function afterPrefix(prefix: string): string | undefined {
  for (let end = prefix.length; end > 0; end -= 1) {
    const last = prefix.charCodeAt(end - 1);
    if (last < 0xffff) return prefix.slice(0, end - 1) + String.fromCharCode(last + 1);
  }
  return undefined;
}

async function checkFormat(name: string, store: IDBObjectStore): Promise<void> {
  // What was stored before formats were counted has the first.
  const format = await promisifyRequest<unknown>(store.get(FORMAT_KEY));
  if (format === FORMAT) return;
  if (format !== undefined) throw new StorageFormatError(name, format);
  store.put(FORMAT, FORMAT_KEY);
}

async function readIdentity(store: IDBObjectStore): Promise<string> {
  const known = await promisifyRequest<unknown>(store.get(IDENTITY_KEY));
  if (typeof known === "string") return known;
  // Not `crypto.randomUUID`: pages served over plain HTTP do not have it.
  const identity = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
  store.put(identity, IDENTITY_KEY);
  await committed(store.transaction);
  return identity;
}

async function withTimeout<T>(opening: Promise<T>, { name, timeout }: { name: string; timeout: number }): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new StorageBlockedError(
          `The browser did not open the database "${name}" within ${String(timeout / 1000)} seconds.`,
          "Another tab may hold it: close the other tabs of this site and reload the page.",
        ),
      );
    }, timeout);
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}

function blockedError(name: string, cause: unknown): StorageBlockedError {
  if (hasName(cause, "SecurityError") || hasName(cause, "ReferenceError")) {
    return new StorageBlockedError(
      `The browser does not let this page use IndexedDB (${namedMessageOf(cause)}).`,
      "Allow site data for this site and leave private browsing, or use a session that is kept in memory only.",
      { cause },
    );
  }
  if (hasName(cause, "NotFoundError")) {
    return new StorageBlockedError(
      `The database "${name}" belongs to something else.`,
      "Choose another name for the storage.",
      { cause },
    );
  }
  return new StorageBlockedError(
    `The browser could not open the database "${name}" (${namedMessageOf(cause)}).`,
    "Close the other tabs of this site and reload the page; if that does not help, use a session that is kept in memory only.",
    { cause },
  );
}

function isQuotaError(error: unknown): boolean {
  return hasName(error, "QuotaExceededError");
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
