import { nextTurn } from "../protocol/index.js";

/** Characters of requests that are read in one turn of the page. Those of a longer one are read in slices. */
const TEXT_A_TURN = 200_000;

/** What a request counts for beside its text: the work that one makes which says next to nothing. */
const FOR_EACH = 5000;

interface Waiting {
  readonly length: number;
  readonly begin: () => void;
}

/**
 * Spreads requests that come at once over turns of the page. Each may be short enough to be read in one go, and a long one
 * gives the thread away by itself: but hundreds of short ones would follow right after each other.
 */
export class RequestTurns {
  #left = TEXT_A_TURN;
  readonly #waiting: Waiting[] = [];

  /** Takes a request's share of this turn, or waits for the turn that has room for it. The order stays. */
  take(length: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#left > 0) {
      this.#use(length);
      return undefined;
    }
    return new Promise((begin) => {
      this.#waiting.push({ length, begin });
      if (this.#waiting.length === 1) void this.#serve();
    });
  }

  #use(length: number): void {
    this.#left -= FOR_EACH + Math.min(length, TEXT_A_TURN);
  }

  async #serve(): Promise<void> {
    while (this.#waiting.length > 0) {
      await nextTurn();
      this.#left = TEXT_A_TURN;
      let served = 0;
      for (const { length, begin } of this.#waiting) {
        if (this.#left <= 0) break;
        this.#use(length);
        begin();
        served += 1;
      }
      this.#waiting.splice(0, served);
    }
  }
}
