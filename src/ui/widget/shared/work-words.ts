import type { Words } from "./words.js";

/** What work says of itself from its beginning to its end: what it waits for and, once a second, for how long. */
export class WorkWords {
  readonly #show: (words: Words) => void;
  #words: Words = { text: "Loading Vitrine" };
  #since = performance.now();
  #clock: ReturnType<typeof setInterval> | undefined;
  #isAsking = false;
  #isStopping = false;
  #isOver = false;

  constructor(show: (words: Words) => void) {
    this.#show = show;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  begin(): void {
    this.#clock = setInterval(() => this.#say(), 1000);
    this.#say();
  }

  enter(words: Words): void {
    if (this.#isOver) return;
    if (words.text !== this.#words.text) this.#since = performance.now();
    this.#words = words;
    this.#say();
  }

  /** While `answer` is waited for, the reader is asked something. */
  async whileAsking(answer: () => Promise<string>): Promise<string> {
    this.#isAsking = true;
    this.#say();
    try {
      return await answer();
    } finally {
      this.#isAsking = false;
      this.#say();
    }
  }

  stopping(): void {
    this.#isStopping = true;
    this.#say();
  }

  /** Says nothing more. */
  end(): void {
    this.#isOver = true;
    clearInterval(this.#clock);
  }

  #say(): void {
    if (!this.#isOver) this.#show(this.#current());
  }

  #current(): Words {
    if (this.#isStopping) return { text: "Stopping" };
    if (this.#isAsking) return { text: "Waiting for your input" };
    const waited = Math.floor((performance.now() - this.#since) / 1000);
    if (this.#words.detail !== undefined || waited < 1) return this.#words;
    return { ...this.#words, detail: `, ${waited} s` };
  }
}
