import { Slices } from "../../protocol/index.js";
import type { StorageBackend } from "../../storage/index.js";
import type { FileRecord } from "../file-table.js";
import { entriesOfOldRecordings, StoredChanges, type Entries } from "./stored-changes.js";

/** A file as it is stored. */
export interface StoredFile {
  readonly record: FileRecord | null;
  readonly content: Uint8Array<ArrayBuffer> | null;
}

/**
 * Keeps what files held before they were changed. It is stored with the change itself, in one write, so that a page that is
 * closed meanwhile loses none of it. A file that came and went again is forgotten: what is kept is bounded by the files that
 * were there at first and those that are there now.
 */
export class ChangeRecording {
  readonly #stored: StoredChanges;
  /** By path, whether there was such a file. */
  readonly #recorded: Map<string, boolean>;

  private constructor(stored: StoredChanges, recorded: Iterable<readonly [path: string, wasThere: boolean]>) {
    this.#stored = stored;
    this.#recorded = new Map(recorded);
  }

  /** Begins a recording, or goes on with the one of this id. */
  static async open(storage: StorageBackend, id: string): Promise<ChangeRecording> {
    const stored = new StoredChanges(storage, id);
    const info = await stored.info();
    const old: Entries = info === undefined ? await entriesOfOldRecordings(storage) : new Map();
    const own = stored.infoEntry({ beganAt: info?.beganAt ?? new Date().toISOString(), state: "open" });
    await storage.write(new Map([...old, ...own]));
    const changes = await stored.changes();
    return new ChangeRecording(
      stored,
      Array.from(changes, ([path, { before }]) => [path, before !== null] as const),
    );
  }

  get id(): string {
    return this.#stored.id;
  }

  /** What is to be stored with the writing of these files; null deletes one. */
  async entriesWith(
    files: ReadonlyMap<string, Uint8Array | null>,
    read: (path: string) => Promise<StoredFile>,
  ): Promise<RecordedEntries> {
    const entries: Entries = new Map();
    const recorded = new Map<string, boolean | null>();
    const slices = new Slices();
    for (const [path, written] of files) {
      await slices.rest();
      const wasThere = this.#recorded.get(path);
      if (wasThere === false && written === null) {
        recorded.set(path, null);
        for (const [key, bytes] of this.#stored.forgottenEntry(path)) entries.set(key, bytes);
      }
      if (wasThere !== undefined) continue;
      const { record, content } = await read(path);
      if (record === null && written === null) continue;
      recorded.set(path, record !== null);
      for (const [key, bytes] of this.#stored.changeEntry(path, { before: record })) entries.set(key, bytes);
      for (const [key, bytes] of this.#stored.imageEntry(path, record === null ? null : content)) {
        entries.set(key, bytes);
      }
    }
    return { entries, stored: () => this.#note(recorded) };
  }

  #note(recorded: ReadonlyMap<string, boolean | null>): void {
    for (const [path, wasThere] of recorded) {
      if (wasThere === null) this.#recorded.delete(path);
      else this.#recorded.set(path, wasThere);
    }
  }
}

/** What a recording has stored with a write. */
export interface RecordedEntries {
  readonly entries: Entries;
  /** Called once it is stored. */
  readonly stored: () => void;
}
