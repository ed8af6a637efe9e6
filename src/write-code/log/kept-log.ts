import { encodeTextInSlices, Slices } from "../../protocol/index.js";
import { listKeys, type StorageBackend } from "../../storage/index.js";
import type { LogForm } from "./log-form.js";
import { readSegment, readSegments, type LogSegment } from "./log-segment.js";

/** Characters of a record beyond which the next entries begin another one. Small, since it is read and written whole. */
const LONGEST_SEGMENT = 64_000;

/** Records that are put back as they are, before all that is older is brought together. */
const MOST_PUT_BACK = 8;

/** As many, while an older record cannot be read: the next time it may be. Then it is given up. */
const MOST_WHILE_UNREADABLE = 4 * MOST_PUT_BACK;

/** What is to be written for a log to have more entries. */
export interface LogChange<Entry> {
  readonly records: readonly (readonly [key: string, bytes: Uint8Array | null])[];
  /** Records that are written over, or deleted, though they could not be read. */
  readonly damaged: readonly LogSegment<Entry>[];
}

/**
 * A log as it lies in the storage: the latest entries in a small record, older ones in records behind it, so that what is
 * noted costs the same however much was noted before.
 *
 * The latest record grows until it is full and is put back then, as it is, or in pieces where it is large; once several were
 * put back, all that is older is brought together within the bounds of the log. A file that was written over and over is in several of them until then.
 * A store from before there were such records has all of its log in the latest one.
 */
export class KeptLog<Entry> {
  /** Where the latest entries lie. */
  readonly latestKey: string;
  readonly #behind: string;
  readonly #storage: StorageBackend;
  readonly #form: LogForm<Entry>;

  constructor(storage: StorageBackend, form: LogForm<Entry>) {
    this.#storage = storage;
    this.#form = form;
    this.latestKey = `write-code/${form.name}.json`;
    this.#behind = `write-code/${form.name}/`;
  }

  readLatest(): Promise<LogSegment<Entry>> {
    return this.read(this.latestKey);
  }

  read(key: string): Promise<LogSegment<Entry>> {
    return readSegment(this.#storage, key, this.#form);
  }

  /** The records behind the latest one, the oldest first. */
  olderKeys(): Promise<readonly string[]> {
    // Those that were brought together are older than those that were put back since, and come first by their names, too.
    return listKeys(this.#storage, this.#behind);
  }

  /** All that the log has. */
  async readAll(latest: LogSegment<Entry>, older: readonly string[]): Promise<readonly Entry[]> {
    return this.#settledWith(await readSegments(this.#storage, older, this.#form), latest);
  }

  /** @param latest - as it is stored now: it is written over. */
  async adding(latest: LogSegment<Entry>, added: readonly Entry[]): Promise<LogChange<Entry>> {
    const damaged = latest.damage === undefined ? [] : [latest];
    const together = this.#recordOf([...latest.entries, ...added]);
    if (latest.bytes === null || latest.entries.length === 0 || together.length <= LONGEST_SEGMENT) {
      return { records: [[this.latestKey, await encodeTextInSlices(together)]], damaged };
    }
    const own = await encodeTextInSlices(this.#recordOf(added));
    const older = await this.#puttingBack(latest, latest.bytes);
    return { ...older, records: [[this.latestKey, own], ...older.records] };
  }

  async #puttingBack(latest: LogSegment<Entry>, bytes: Uint8Array): Promise<LogChange<Entry>> {
    const older = await this.olderKeys();
    const putBack = older.filter((key) => key.startsWith(`${this.#behind}${PUT_BACK}`));
    // A prompt would read all of one that has a batch of large files, for the last of them.
    const own = bytes.byteLength > 2 * LONGEST_SEGMENT ? await this.#inPieces(latest.entries) : [bytes];
    const last = Number(/(\d+)\.json$/.exec(putBack.at(-1) ?? "")?.[1] ?? 0);
    const asItIs: LogChange<Entry> = {
      records: own.map((piece, index) => [this.#olderKey(PUT_BACK, last + 1 + index), piece] as const),
      damaged: [],
    };
    if (putBack.length + own.length <= MOST_PUT_BACK) return asItIs;
    const segments = await readSegments(this.#storage, older, this.#form);
    const unread = segments.filter(isUnread);
    // It is no damage of theirs where the storage reads none of them.
    const areGivenUp = putBack.length >= MOST_WHILE_UNREADABLE && unread.length < segments.length;
    if (unread.length > 0 && !areGivenUp) return asItIs;
    const pieces = await this.#inPieces(this.#settledWith(segments, latest));
    return {
      records: [
        ...older.map((key) => [key, null] as const),
        ...pieces.map((piece, index) => [this.#olderKey(TOGETHER, index + 1), piece] as const),
      ],
      damaged: segments.filter(({ damage }) => damage !== undefined),
    };
  }

  #settledWith(older: readonly LogSegment<Entry>[], latest: LogSegment<Entry>): readonly Entry[] {
    return this.#form.settled([...older, latest].flatMap(({ entries }) => entries));
  }

  /** Records of what lies behind the latest one, each small, so that what was written last can be read without the rest. */
  async #inPieces(entries: readonly Entry[]): Promise<readonly Uint8Array[]> {
    const slices = new Slices();
    const records: Uint8Array[] = [];
    let texts: string[] = [];
    let length = 0;
    const end = async (): Promise<void> => {
      if (texts.length > 0) records.push(await encodeTextInSlices(this.#form.recordOf(texts)));
      texts = [];
      length = 0;
    };
    for (const entry of entries) {
      const text = this.#form.textOf(entry);
      if (length + text.length > LONGEST_SEGMENT) await end();
      texts.push(text);
      length += text.length;
      await slices.rest();
    }
    await end();
    return records;
  }

  #recordOf(entries: readonly Entry[]): string {
    const { settled, textOf, recordOf } = this.#form;
    return recordOf(settled(entries).map(textOf));
  }

  #olderKey(kind: string, number: number): string {
    return `${this.#behind}${kind}${String(number).padStart(6, "0")}.json`;
  }
}

/** It is there, and what it holds is not known: as against one that is malformed. */
function isUnread({ bytes, damage }: LogSegment<unknown>): boolean {
  return bytes === null && damage !== undefined;
}

/** In the order of time. */
const TOGETHER = "1-";
const PUT_BACK = "2-";
