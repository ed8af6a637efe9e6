import { encodeTextInSlices, messageOf, randomId, shorten } from "../../protocol/index.js";
import { StorageConflictError, type StorageBackend } from "../../storage/index.js";
import type { LogEntry } from "../generation/prompt-context.js";
import { CODE_LOG, type CodeLogEntry } from "./code-log.js";
import { FILE_LOG, loggedFile, type FileLogEntry, type LoggedFile } from "./file-log.js";
import { KeptLog } from "./kept-log.js";
import type { LogSegment } from "./log-segment.js";
import { setAside } from "./set-aside.js";
import { timestampOf, type WrittenFile } from "./written-file.js";

/** Another word with each write: by it a tab sees that another one has written meanwhile. */
const HEAD = "write-code/head";

/** How often a write or a read is begun again because another tab wrote meanwhile. */
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
  readonly #files: KeptLog<FileLogEntry>;
  readonly #code: KeptLog<CodeLogEntry>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(storage: StorageBackend, { strike, now = () => new Date() }: WriteLogOptions) {
    this.#storage = storage;
    this.#files = new KeptLog(storage, FILE_LOG);
    this.#code = new KeptLog(storage, CODE_LOG);
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
  entries(): Promise<readonly CodeLogEntry[]> {
    return this.#readWhole(this.#code, (latest, older) => this.#code.readAll(latest, older));
  }

  /** The file log, the file that was written last at its end. What cannot be read of it is not there. */
  async files(): Promise<ReadonlyMap<string, LoggedFile>> {
    return new Map(await this.#readWhole(this.#files, (latest, older) => this.#files.readAll(latest, older)));
  }

  /** The files that were written last, the newest first, for a model to read; of images only that they are there. */
  async promptEntries({ entries = 20, characters = 20_000 }: PromptRoom = {}): Promise<readonly LogEntry[]> {
    const files = await this.#latestFiles(entries);
    let room = characters;
    return files.map(([path, { operations, metadata, content, last_updated: timestamp }]) => {
      const text = room <= 0 ? "" : shorten(content, room, "\n[…]\n");
      room -= content.length;
      const operation = operations.at(-1)?.operation ?? "create";
      return { path, timestamp, operation, description: metadata.code_description, text };
    });
  }

  /** The newest first. Of the log no more is read than that takes. */
  #latestFiles(most: number): Promise<readonly FileLogEntry[]> {
    return this.#readWhole(this.#files, async (latest, older) => {
      const found = new Map<string, LoggedFile>();
      const take = (entries: readonly FileLogEntry[]): void => {
        for (const [path, file] of entries.toReversed()) if (!found.has(path)) found.set(path, file);
      };
      take(latest.entries);
      for (const key of older.toReversed()) {
        if (found.size >= most) break;
        take((await this.#files.read(key)).entries);
      }
      return [...found].slice(0, most);
    });
  }

  /** Reads of a log what belongs together: once more where a tab wrote meanwhile. */
  async #readWhole<Entry, T>(
    log: KeptLog<Entry>,
    read: (latest: LogSegment<Entry>, older: readonly string[]) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const [before, latest] = await Promise.all([this.#head(), log.readLatest()]);
      // Listed after the head was read: what is put back between the two is seen by the head below.
      const found = await read(latest, await log.olderKeys());
      if (isSame(before, await this.#head()) || attempt === MOST_ATTEMPTS) return found;
    }
  }

  async #record(written: readonly WrittenFile[]): Promise<readonly string[]> {
    for (let attempt = 1; ; attempt += 1) {
      // Reads of one tick see one state of the store, and what was written after it is seen by the head.
      const [head, files, code] = await Promise.all([this.#head(), this.#files.readLatest(), this.#code.readLatest()]);
      const now = this.#now();
      const timestamp = timestampOf(now);
      const fileChange = await this.#files.adding(
        files,
        written.map((file) => loggedFile(file, timestamp)),
      );
      const codeChange = await this.#code.adding(
        code,
        written.map(({ path, operation, model, text }) => ({ path, timestamp, operation, model, code: text ?? "" })),
      );
      const aside = await setAside(this.#storage, [...fileChange.damaged, ...codeChange.damaged], now);
      const records = new Map<string, Uint8Array | null>([
        [HEAD, await encodeTextInSlices(randomId())],
        ...fileChange.records,
        ...codeChange.records,
        ...aside.records,
      ]);
      try {
        await this.#storage.write(records, { ifUnchanged: new Map([[HEAD, head]]) });
        return aside.warnings;
      } catch (error) {
        if (!(error instanceof StorageConflictError) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  async #head(): Promise<Uint8Array | null> {
    return (await this.#storage.get(HEAD)) ?? null;
  }

  #struck(file: WrittenFile): WrittenFile {
    const { description, text } = file;
    return { ...file, description: this.#strike(description), text: text === null ? null : this.#strike(text) };
  }
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one?.join() === other?.join();
}
