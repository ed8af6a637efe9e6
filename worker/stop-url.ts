import { isAlive } from "./blob-reader.js";

/** Milliseconds between two looks. */
const SHORTEST = 20;
const LONGEST = 100;
/** The time between two looks, in looks: what a look costs is one part in so many. */
const RARITY = 50;

/**
 * The URL that the page revokes to stop a run. A look at it is a request of a
 * millisecond or so, so there are as few as a Stop button can bear.
 */
export class StopUrl {
  #url: string | null = null;
  #isRevoked = false;
  #nextLook = 0;

  watch(url: string | null): void {
    this.#url = url;
    this.#isRevoked = false;
    this.#nextLook = 0;
  }

  /** Whether it is gone, as far as the last look could tell. @param now - milliseconds, `performance.now`. */
  isRevoked(now: number): boolean {
    if (now >= this.#nextLook) this.look();
    return this.#isRevoked;
  }

  /** Looks at once. */
  look(): void {
    if (this.#url === null || this.#isRevoked) return;
    const start = performance.now();
    const alive = isAlive(this.#url);
    const end = performance.now();
    this.#nextLook = end + Math.min(LONGEST, Math.max(SHORTEST, (end - start) * RARITY));
    // A second look, because any failure of a request looks the same.
    this.#isRevoked = !alive && !isAlive(this.#url);
  }
}
