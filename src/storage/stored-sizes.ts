import type { StorageBackend } from "./backend.js";

/** How much a part of a storage may hold. */
export interface SizeLimits {
  /** Of all things together, in whatever they are measured. */
  readonly total: number;
  readonly count: number;
}

export type SizeLimit = keyof SizeLimits;

/**
 * What lies in one part of a storage and how large it is. It is read once and kept in step with what goes through it: stores
 * of one storage share it. What other tabs write is not counted before the next page.
 */
export class StoredSizes {
  static readonly #shared = new WeakMap<StorageBackend, Map<string, StoredSizes>>();

  readonly #read: () => Promise<Iterable<readonly [name: string, size: number]>>;
  #sizes: Promise<Map<string, number>> | undefined;
  #total = 0;

  constructor(read: () => Promise<Iterable<readonly [name: string, size: number]>>) {
    this.#read = read;
  }

  /** The one of this storage and part; `read` tells what is there when it is first asked. */
  static of(
    storage: StorageBackend,
    part: string,
    read: () => Promise<Iterable<readonly [name: string, size: number]>>,
  ): StoredSizes {
    const ofStorage = StoredSizes.#shared.get(storage) ?? new Map<string, StoredSizes>();
    StoredSizes.#shared.set(storage, ofStorage);
    const sizes = ofStorage.get(part) ?? new StoredSizes(read);
    ofStorage.set(part, sizes);
    return sizes;
  }

  /**
   * Counts a thing that is about to be written, in place of one of the same name, and does it.
   *
   * @throws what `refuse` makes of the limit that it would pass, with nothing written.
   */
  async write<Result>(
    name: string,
    {
      size,
      limits,
      refuse,
    }: { readonly size: number; readonly limits: SizeLimits; readonly refuse: (limit: SizeLimit) => Error },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const sizes = await this.#known();
    const before = sizes.get(name);
    if (before === undefined && sizes.size >= limits.count) throw refuse("count");
    const grows = size > (before ?? 0);
    if (grows && this.#total - (before ?? 0) + size > limits.total) throw refuse("total");
    this.#set(sizes, name, size);
    try {
      return await work();
    } catch (error) {
      if (sizes.get(name) === size) this.#set(sizes, name, before);
      throw error;
    }
  }

  /** Counts a thing no more, and deletes it. */
  async remove<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const sizes = await this.#known();
    const before = sizes.get(name);
    this.#set(sizes, name, undefined);
    try {
      return await work();
    } catch (error) {
      if (!sizes.has(name)) this.#set(sizes, name, before);
      throw error;
    }
  }

  #set(sizes: Map<string, number>, name: string, size: number | undefined): void {
    this.#total += (size ?? 0) - (sizes.get(name) ?? 0);
    if (size === undefined) sizes.delete(name);
    else sizes.set(name, size);
  }

  /** A reading that failed is tried again. */
  #known(): Promise<Map<string, number>> {
    this.#sizes ??= this.#load().catch((error: unknown) => {
      this.#sizes = undefined;
      throw error;
    });
    return this.#sizes;
  }

  async #load(): Promise<Map<string, number>> {
    const sizes = new Map(await this.#read());
    this.#total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    return sizes;
  }
}
