import type { Download } from "./package-downloads.js";

/** Files that are on their way or have come, by address. Those who want the same ones share it, so that each comes once. */
export class ComingFiles {
  readonly #downloads = new Map<string, Promise<Download>>();

  /** Begins a download unless it is under way. One that fails is begun again by the next who wants it. */
  get(address: string, begin: () => Promise<Download>): Promise<Download> {
    const before = this.#downloads.get(address);
    if (before !== undefined) return before;
    const begun = begin();
    this.#downloads.set(address, begun);
    begun.catch(() => {
      if (this.#downloads.get(address) === begun) this.#downloads.delete(address);
    });
    return begun;
  }

  /** The download of an address, if somebody has begun it. */
  begun(address: string): Promise<Download> | undefined {
    return this.#downloads.get(address);
  }
}
