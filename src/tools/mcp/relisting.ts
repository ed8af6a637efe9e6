/** Milliseconds between two listings because the server said so. */
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 10_000;

/**
 * Lists a server's tools anew when it says that they are others: one listing at a time, so that the last one counts. A
 * server that never stops saying so is asked ever more seldom.
 */
export class Relisting {
  readonly #list: () => Promise<void>;
  readonly #isOpen: () => boolean;
  /** The server said so, and nobody has asked since. */
  #isStale = false;
  #isUnderWay = false;

  /** @param list - must not reject. @param isOpen - whether there is still anybody to ask. */
  constructor(list: () => Promise<void>, isOpen: () => boolean) {
    this.#list = list;
    this.#isOpen = isOpen;
  }

  async request(): Promise<void> {
    this.#isStale = true;
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    for (let pause = SHORTEST_PAUSE; this.#isStale && this.#isOpen(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      this.#isStale = false;
      await this.#list();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#isUnderWay = false;
  }
}
