import sqlite3InitModule, { type Database, type Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import wasm from "@sqlite.org/sqlite-wasm/sqlite3.wasm?url&inline";

import type { Cell, Rows } from "./sqlite-output.js";

// The package's types leave out that it hands its argument on to Emscripten.
const initialize: (config: { readonly wasmBinary: Uint8Array }) => Promise<Sqlite3Static> = sqlite3InitModule;

/** Where the header of a database file says that there is a write-ahead log beside it. */
const JOURNAL_VERSIONS = [18, 19] as const;
const WRITE_AHEAD_LOG = 2;
const ROLLBACK_JOURNAL = 1;

/** Bytes: the build is one for 32-bit WebAssembly. */
const POINTER_SIZE = 4;

let loading: Promise<Sqlite3Static> | undefined;

/** Opens a database that lies in memory, with the content of a file if there is one. @throws when it is none. */
export async function openDatabase(content: Uint8Array | undefined): Promise<OpenDatabase> {
  loading ??= initialize({ wasmBinary: bytesOfDataUrl(wasm) });
  return new OpenDatabase(await loading, content);
}

export class OpenDatabase {
  readonly #sqlite: Sqlite3Static;
  readonly #db: Database;
  readonly #before: Uint8Array;

  constructor(sqlite: Sqlite3Static, content: Uint8Array | undefined) {
    this.#sqlite = sqlite;
    this.#db = new sqlite.oo1.DB(":memory:");
    if (content !== undefined && content.byteLength > 0) this.#fill(content);
    this.#before = this.#content();
  }

  get version(): string {
    return this.#sqlite.version.libVersion;
  }

  /** The file's new content; undefined when nothing changed. */
  changed(): Uint8Array | undefined {
    const now = this.#content();
    const isSame = now.length === this.#before.length && now.every((byte, index) => byte === this.#before[index]);
    return isSame ? undefined : now;
  }

  /** Whether a text ends with the end of a statement. */
  isComplete(sql: string): boolean {
    return this.#sqlite.capi.sqlite3_complete(sql) === 1;
  }

  /** Runs statement after statement. `onRows` hears of each that gives rows. @throws {SqlError} at the first that fails. */
  execute(sql: string, onRows: (rows: Rows) => void): void {
    const { wasm: memory, capi } = this.#sqlite;
    const scope = memory.scopedAllocPush();
    try {
      const bytes = new TextEncoder().encode(`${sql}\0`);
      const start = memory.allocFromTypedArray(bytes);
      try {
        const end = start + bytes.length - 1;
        const pointers = memory.scopedAlloc(2 * POINTER_SIZE);
        for (let position = start; position < end;) {
          const tail = pointers + POINTER_SIZE;
          const code = capi.sqlite3_prepare_v3(this.#db, position, end - position, 0, pointers, tail);
          if (code !== 0) throw new SqlError(capi.sqlite3_errmsg(this.#db), "prepare");
          const statement = memory.peekPtr(pointers);
          position = memory.peekPtr(tail);
          if (statement !== 0) onRows(this.#run(statement));
        }
      } finally {
        memory.dealloc(start);
      }
    } finally {
      memory.scopedAllocPop(scope);
    }
  }

  close(): void {
    this.#db.close();
  }

  #run(statement: number): Rows {
    const { capi } = this.#sqlite;
    try {
      const count = capi.sqlite3_column_count(statement);
      const indexes = Array.from({ length: count }, (_, index) => index);
      const rows: Cell[][] = [];
      for (;;) {
        const code = capi.sqlite3_step(statement);
        if (code === capi.SQLITE_DONE) break;
        if (code !== capi.SQLITE_ROW) throw new SqlError(capi.sqlite3_errmsg(this.#db), "step");
        rows.push(indexes.map((index) => this.#cell(statement, index)));
      }
      return { columns: indexes.map((index) => capi.sqlite3_column_name(statement, index)), rows };
    } finally {
      capi.sqlite3_finalize(statement);
    }
  }

  #cell(statement: number, index: number): Cell {
    const { capi, wasm: memory } = this.#sqlite;
    switch (capi.sqlite3_column_type(statement, index)) {
      case capi.SQLITE_NULL:
        return { type: "null" };
      case capi.SQLITE_BLOB: {
        const start = capi.sqlite3_column_blob(statement, index);
        const end = start + capi.sqlite3_column_bytes(statement, index);
        return { type: "blob", bytes: memory.heap8u().slice(start, end) };
      }
      case capi.SQLITE_TEXT:
        return { type: "text", text: capi.sqlite3_column_text(statement, index) };
      default:
        return { type: "number", text: capi.sqlite3_column_text(statement, index) };
    }
  }

  #fill(content: Uint8Array): void {
    const { capi, wasm: memory } = this.#sqlite;
    const copy = new Uint8Array(content);
    // A database in memory has no log beside it, and SQLite refuses one that claims to.
    for (const position of JOURNAL_VERSIONS) if (copy[position] === WRITE_AHEAD_LOG) copy[position] = ROLLBACK_JOURNAL;
    const start = memory.allocFromTypedArray(copy);
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_RESIZEABLE;
    this.#db.checkRc(capi.sqlite3_deserialize(this.#db, "main", start, copy.length, copy.length, flags));
  }

  #content(): Uint8Array {
    return this.#sqlite.capi.sqlite3_js_db_export(this.#db);
  }
}

/** A statement that SQLite refused or could not finish. */
export class SqlError extends Error {
  constructor(
    reason: string,
    readonly phase: "prepare" | "step",
  ) {
    super(reason);
  }
}

function bytesOfDataUrl(url: string): Uint8Array {
  return Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (character) => character.charCodeAt(0));
}
