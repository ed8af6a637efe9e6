import type { z } from "zod";

import { encodeTextInSlices, jsonIn, messageOf, randomId, shorten } from "../../protocol/index.js";
import {
  decodeLargeText,
  listKeys,
  StorageConflictError,
  StorageReadError,
  type StorageBackend,
} from "../../storage/index.js";
import type { LogEntry } from "../generation/prompt-context.js";
import { boundedEntries, CodeLogRecord, type CodeLogEntry } from "./code-log.js";
import { bounded, FileLogRecord, withFile, type LoggedFile } from "./file-log.js";
import { timestampOf, type WrittenFile } from "./written-file.js";

/** Where the logs lie in the storage, and what was set aside of them because it could not be read. */
const FILES = "write-code/files.json";
const CODE = "write-code/code.json";
const DAMAGED = "write-code/damaged/";
/** Another word with each write: by it a tab sees that another one has written meanwhile. */
const HEAD = "write-code/head";

/** Damaged records that are kept. */
const MOST_DAMAGED = 4;

/** How often a write is begun again because another tab was faster. */
const MOST_ATTEMPTS = 8;

export interface WriteLogOptions {
  /** Strikes what must not be kept: secrets of the session. */
  readonly strike: (text: string) => string;
  /** Default: by the clock of the machine. */
  readonly now?: () => Date;
}

/** How much of a log a prompt has room for. */
export interface PromptRoom {
  /** Files. Default 20. */
  readonly entries?: number;
  /** Characters of all texts together. Default 20,000. */
  readonly characters?: number;
}

/**
 * What batches have written: the file log, with the latest content of each file, and the code log, with each time that one
 * was written. Both are kept in the session's storage, bounded, and are there for later calls, pages and tabs.
 *
 * A log that fails takes no file along: what is wrong with it is a warning.
 */
export class WriteLog {
  readonly #storage: StorageBackend;
  readonly #strike: (text: string) => string;
  readonly #now: () => Date;
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: StorageBackend, { strike, now = () => new Date() }: WriteLogOptions) {
    this.#storage = storage;
    this.#strike = strike;
    this.#now = now;
  }

  /**
   * Notes files that were written, all or none.
   *
   * @returns what a person should know: that the log was damaged, or could not be written. It never rejects.
   */
  record(files: readonly WrittenFile[]): Promise<readonly string[]> {
    const noting = this.#last.then(async () => {
      try {
        return files.length === 0 ? [] : await this.#record(files.map((file) => this.#struck(file)));
      } catch (error) {
        return [
          `The log of what was written could not be kept, and the files are written all the same: ${messageOf(error)}`,
        ];
      }
    });
    this.#last = noting;
    return noting;
  }

  /** The code log, the oldest first. What cannot be read of it is not there. */
  async entries(): Promise<readonly CodeLogEntry[]> {
    return (await this.#readCode()).content;
  }

  /** The file log, the file that was written last at its end. What cannot be read of it is not there. */
  async files(): Promise<ReadonlyMap<string, LoggedFile>> {
    return (await this.#readFiles()).content;
  }

  /** The files that were written last, the newest first, for a model to read; of images only that they are there. */
  async promptEntries({ entries = 20, characters = 20_000 }: PromptRoom = {}): Promise<readonly LogEntry[]> {
    const files = [...(await this.files())].toReversed().slice(0, entries);
    let room = characters;
    return files.map(([path, { operations, metadata, content, last_updated: timestamp }]) => {
      const text = room <= 0 ? "" : shorten(content, room, "\n[…]\n");
      room -= content.length;
      const operation = operations.at(-1)?.operation ?? "create";
      return { path, timestamp, operation, description: metadata.code_description, text };
    });
  }

  async #record(written: readonly WrittenFile[]): Promise<readonly string[]> {
    for (let attempt = 1; ; attempt += 1) {
      // Reads of one tick see one state of the store.
      const [head = null, files, code] = await Promise.all([
        this.#storage.get(HEAD),
        this.#readFiles(),
        this.#readCode(),
      ]);
      const timestamp = timestampOf(this.#now());
      let logged = files.content;
      for (const file of written) logged = withFile(logged, file, timestamp);
      const added = written.map(({ path, operation, model, text }) => ({
        path,
        timestamp,
        operation,
        model,
        code: text ?? "",
      }));
      const aside = await this.#setAside([files, code]);
      const entries = new Map<string, Uint8Array | null>([
        [HEAD, await encodeTextInSlices(randomId())],
        [FILES, await encodeTextInSlices(fileLogText(bounded(logged)))],
        [CODE, await encodeTextInSlices(JSON.stringify({ entries: boundedEntries([...code.content, ...added]) }))],
        ...aside.entries,
      ]);
      try {
        await this.#storage.write(entries, { ifUnchanged: new Map([[HEAD, head]]) });
        return aside.warnings;
      } catch (error) {
        if (!(error instanceof StorageConflictError) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  /** What makes room for a log that is begun again. Of many damaged ones the oldest goes. */
  async #setAside(logs: readonly ReadLog<unknown>[]): Promise<{
    readonly entries: readonly (readonly [string, Uint8Array | null])[];
    readonly warnings: readonly string[];
  }> {
    const damaged = logs.filter(({ damage }) => damage !== undefined);
    if (damaged.length === 0) return { entries: [], warnings: [] };
    const time = String(this.#now().getTime()).padStart(15, "0");
    const kept = damaged.flatMap(({ key, bytes }) => {
      return bytes === null ? [] : [[`${DAMAGED}${time}-${key.slice(key.lastIndexOf("/") + 1)}`, bytes] as const];
    });
    const before = await listKeys(this.#storage, DAMAGED);
    const tooOld = before.slice(0, Math.max(0, before.length + kept.length - MOST_DAMAGED));
    return {
      entries: [...tooOld.map((key) => [key, null] as const), ...kept],
      warnings: damaged.map(({ key, damage = "" }) => {
        const where = kept.find(([aside]) => aside.endsWith(`-${key.slice(key.lastIndexOf("/") + 1)}`))?.[0];
        const left = where === undefined ? "Nothing of it could be kept" : `It was set aside as ${where}`;
        return `The log ${key} could not be read (${damage}). ${left}, and a new one was begun.`;
      }),
    };
  }

  async #readFiles(): Promise<ReadLog<ReadonlyMap<string, LoggedFile>>> {
    const { found, ...log } = await this.#read(FILES, FileLogRecord);
    return { ...log, content: new Map(Object.entries(found?.files ?? {})) };
  }

  async #readCode(): Promise<ReadLog<readonly CodeLogEntry[]>> {
    const { found, ...log } = await this.#read(CODE, CodeLogRecord);
    return { ...log, content: found?.entries ?? [] };
  }

  async #read<T>(key: string, schema: z.ZodType<T>): Promise<Omit<ReadLog<never>, "content"> & { readonly found?: T }> {
    let bytes: Uint8Array | null;
    try {
      bytes = (await this.#storage.get(key)) ?? null;
    } catch (error) {
      if (!(error instanceof StorageReadError)) throw error;
      return { key, bytes: null, damage: error.reason };
    }
    if (bytes === null) return { key, bytes, damage: undefined };
    const text = await decodeLargeText(bytes);
    const record = text === null ? undefined : jsonIn(text);
    if (record === undefined) return { key, bytes, damage: "it is not JSON" };
    const { data, error } = schema.safeParse(record);
    if (data !== undefined) return { key, bytes, damage: undefined, found: data };
    const [issue] = error?.issues ?? [];
    return { key, bytes, damage: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it has another form"}` };
  }

  #struck(file: WrittenFile): WrittenFile {
    const { description, text } = file;
    return { ...file, description: this.#strike(description), text: text === null ? null : this.#strike(text) };
  }
}

interface ReadLog<T> {
  readonly key: string;
  /** As it is stored; null where there is none, or none that can be read. */
  readonly bytes: Uint8Array | null;
  /** What is wrong with it. */
  readonly damage: string | undefined;
  readonly content: T;
}

/** In their order, which an object would not keep of names that are numbers. */
function fileLogText(files: ReadonlyMap<string, LoggedFile>): string {
  const entries = Array.from(files, ([path, file]) => `${JSON.stringify(path)}:${JSON.stringify(file)}`);
  return `{"files":{${entries.join(",")}}}`;
}
