import type { StorageBackend } from "../../storage/index.js";
import type { FileRecord } from "../file-table.js";
import { dropOldRecordings, StoredChanges, type Entries } from "./stored-changes.js";

/** A file as it is stored. */
export interface StoredFile {
  readonly record: FileRecord | null;
  readonly content: Uint8Array<ArrayBuffer> | null;
}

/**
 * Keeps what files held before they were changed. It is stored with the change itself, in one write, so that a page that is
 * closed meanwhile loses none of it.
 */
export class ChangeRecording {
  readonly #stored: StoredChanges;
  readonly #recorded: Set<string>;

  private constructor(stored: StoredChanges, recorded: Iterable<string>) {
    this.#stored = stored;
    this.#recorded = new Set(recorded);
  }

  /** Begins a recording, or goes on with the one of this id. */
  static async open(storage: StorageBackend, id: string): Promise<ChangeRecording> {
    const stored = new StoredChanges(storage, id);
    const info = await stored.info();
    if (info === undefined) await dropOldRecordings(storage);
    await storage.write(stored.infoEntry({ beganAt: info?.beganAt ?? new Date().toISOString(), state: "open" }));
    return new ChangeRecording(stored, (await stored.changes()).keys());
  }

  get id(): string {
    return this.#stored.id;
  }

  /** What is to be stored with a change of these files. */
  async images(paths: Iterable<string>, read: (path: string) => Promise<StoredFile>): Promise<Entries> {
    const entries: Entries = new Map();
    for (const path of paths) {
      if (this.#recorded.has(path)) continue;
      const { record, content } = await read(path);
      for (const part of [
        this.#stored.changeEntry(path, { before: record }),
        this.#stored.imageEntry(path, record === null ? null : content),
      ]) {
        for (const [key, bytes] of part) entries.set(key, bytes);
      }
    }
    return entries;
  }

  /** The change is stored, and what {@link images} gave for it. */
  took(paths: Iterable<string>): void {
    for (const path of paths) this.#recorded.add(path);
  }
}
