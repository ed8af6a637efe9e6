import { encodeTextInSlices, textSize } from "../protocol/index.js";
import { decodeText, encodeText, listKeys, StorageReadError, type StorageBackend } from "../storage/index.js";
import { ArtifactNotFoundError } from "./errors.js";
import { OUTPUTS_FOLDER } from "./names.js";

export interface OutputStoreOptions {
  /** Room for all kept texts together, in bytes. Default 16 MB. */
  limit?: number;
}

/**
 * The full texts of outputs that were too long to hand on. They can be loaded
 * like artifacts, are never listed, and make room for newer ones: the oldest goes
 * first.
 */
export class OutputStore {
  readonly #storage: StorageBackend;
  readonly #limit: number;
  /** Sizes of what was kept or measured here, in bytes. */
  readonly #sizes = new Map<string, number>();
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(storage: StorageBackend, options: OutputStoreOptions = {}) {
    this.#storage = storage;
    this.#limit = options.limit ?? 16 * 1024 ** 2;
  }

  /**
   * A text larger than the whole limit is cut at its end, with a mark.
   *
   * @param id - letters, digits, `-`, `_` and `.`; other characters become `-`.
   * @returns the name to load it by.
   */
  keep(id: string, text: string): Promise<string> {
    const step = this.#lastStep.then(() => this.#keep(id, text));
    // The next one waits for this one, also when it fails.
    this.#lastStep = step.catch(() => undefined);
    return step;
  }

  /** @throws {ArtifactNotFoundError} when it never was, or had to make room. */
  async read(name: string): Promise<string> {
    const bytes = name.startsWith(OUTPUTS_FOLDER) ? await this.#storage.get(name) : undefined;
    if (bytes === undefined) throw new ArtifactNotFoundError(name);
    const text = decodeText(bytes);
    if (text === null) throw new StorageReadError(name, "it is not UTF-8 text");
    return text;
  }

  async #keep(id: string, text: string): Promise<string> {
    const kept = await listKeys(this.#storage, OUTPUTS_FOLDER);
    const name = `${OUTPUTS_FOLDER}${nextNumber(kept)}-${id.replace(/[^\w.-]/g, "-")}.txt`;
    const bytes = await this.#fit(text);
    const entries = new Map<string, Uint8Array | null>([[name, bytes]]);
    for (const old of await this.#tooOld(kept, this.#limit - bytes.byteLength)) entries.set(old, null);
    await this.#storage.write(entries);
    this.#sizes.set(name, bytes.byteLength);
    return name;
  }

  async #fit(text: string): Promise<Uint8Array<ArrayBuffer>> {
    // A character has a byte at least: more of them cannot have room.
    const bytes = await encodeTextInSlices(text.slice(0, this.#limit + 1));
    if (bytes.byteLength <= this.#limit) return bytes;
    const size = textSize(text);
    const mark = encodeText(`\n… cut here: ${String(size)} bytes are more than outputs may take\n`);
    const head = bytes.subarray(0, wholeCharacters(bytes, Math.max(0, this.#limit - mark.byteLength)));
    const cut = new Uint8Array(head.byteLength + mark.byteLength);
    cut.set(head);
    cut.set(mark, head.byteLength);
    return cut;
  }

  /** Which of the kept ones, oldest first in key order, must go so that the rest take at most `room` bytes. */
  async #tooOld(kept: readonly string[], room: number): Promise<string[]> {
    const sizes = await Promise.all(kept.map((name) => this.#sizeOf(name)));
    let total = sizes.reduce((sum, size) => sum + size, 0);
    return kept.filter((_, index) => {
      if (total <= room) return false;
      total -= sizes[index] ?? 0;
      return true;
    });
  }

  async #sizeOf(name: string): Promise<number> {
    const known = this.#sizes.get(name);
    if (known !== undefined) return known;
    // One that cannot be read takes no room that could be known, and goes with the oldest.
    const bytes = await this.#storage.get(name).catch((error: unknown) => {
      if (error instanceof StorageReadError) return undefined;
      throw error;
    });
    this.#sizes.set(name, bytes?.byteLength ?? 0);
    return bytes?.byteLength ?? 0;
  }
}

/** Padded, so that key order is age. */
function nextNumber(kept: readonly string[]): string {
  const last = /^outputs\/(\d+)-/.exec(kept.at(-1) ?? "")?.[1];
  return String(Number(last ?? 0) + 1).padStart(8, "0");
}

/** At most so many bytes that no character is cut in two. */
function wholeCharacters(bytes: Uint8Array, most: number): number {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
