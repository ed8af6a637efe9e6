import type { Download } from "./package-downloads.js";

/** Files that are on their way or have come, by address. Those who want the same ones share it, so that each comes once. */
export class ComingFiles {
  readonly #downloads = new Map<string, Promise<Download>>();

  /** The download of an address; `begin` starts it where there is none. After a failure the next who asks starts it again. */
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

  /** The download of an address, if there is one. */
  begun(address: string): Promise<Download> | undefined {
    return this.#downloads.get(address);
  }
}
