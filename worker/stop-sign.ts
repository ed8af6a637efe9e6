import { RevocableSign } from "./revocable-sign.js";

/** Milliseconds between two looks. */
const SHORTEST = 20;
const LONGEST = 100;
/** The time between two looks, in looks: what a look costs is one part in so many. */
const RARITY = 50;

/**
 * What the page revokes to stop a run. A look at it is a request of a
 * millisecond or so, so there are as few as a Stop button can bear.
 */
export class StopSign {
  #sign = new RevocableSign([]);
  #isRevoked = false;
  #nextLook = Infinity;

  /** @param urls - of the run that comes; none when nothing runs, or where it is stopped another way. */
  watch(urls: readonly string[]): void {
    this.#sign = new RevocableSign(urls);
    this.#isRevoked = false;
    this.#nextLook = urls.length === 0 ? Infinity : 0;
  }

  /** Whether it is gone, as far as the last look could tell. @param now - milliseconds, `performance.now`. */
  isRevoked(now: number): boolean {
    if (now >= this.#nextLook) this.look();
    return this.#isRevoked;
  }

  /** Looks at once. */
  look(): void {
    if (this.#nextLook === Infinity || this.#isRevoked) return;
    const start = performance.now();
    this.#isRevoked = this.#sign.isGone();
    const end = performance.now();
    this.#nextLook = end + Math.min(LONGEST, Math.max(SHORTEST, (end - start) * RARITY));
  }
}
