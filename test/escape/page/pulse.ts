import type { Session } from "../../../src/index.js";

/** Milliseconds between two beats. */
const PACE = 100;

/** What no silence is longer than; JSON has no infinity. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** Watches for how long the page and one of its sessions are silent. */
export class Pulse {
  readonly #started = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #neighbour: Promise<void>;
  #lastBeat = this.#started;
  #lastAnswer = this.#started;
  #silence = 0;
  #ended = false;

  constructor(neighbour: Session) {
    this.#timer = setInterval(() => {
      this.#beat();
    }, PACE);
    this.#neighbour = this.#keepAsking(neighbour);
  }

  /** Milliseconds of the longest silence. */
  async end(): Promise<number> {
    this.#ended = true;
    clearInterval(this.#timer);
    this.#beat();
    await this.#neighbour;
    return this.#silence;
  }

  #beat(): void {
    const now = performance.now();
    this.#silence = Math.max(this.#silence, now - this.#lastBeat);
    this.#lastBeat = now;
  }

  async #keepAsking(neighbour: Session): Promise<void> {
    while (!this.#ended) {
      const { value } = await neighbour.run("answer");
      const now = performance.now();
      this.#silence = value === 42 ? Math.max(this.#silence, now - this.#lastAnswer) : FOREVER;
      this.#lastAnswer = now;
      await new Promise((resolve) => setTimeout(resolve, PACE));
      this.#lastAnswer = performance.now();
    }
  }
}
