/** Characters that are worth an event, and milliseconds between two of them. */
const WORTH_TELLING = 24;
const BETWEEN = 50;

/**
 * Gathers what streams in, so that a reply of thousands of pieces is some events for its listeners and no stall of the page:
 * a piece is passed on once it is long enough and the last is a while ago, or when nothing more came for a while.
 */
export class TextPieces {
  readonly #tell: (text: string) => void;
  #unheard = "";
  #last = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  add(text: string): void {
    this.#unheard += text;
    if (this.#unheard.length >= WORTH_TELLING && performance.now() - this.#last >= BETWEEN) this.flush();
    else
      this.#timer ??= setTimeout(() => {
        this.flush();
      }, BETWEEN);
  }

  /** Tells what is left. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#unheard;
    this.#unheard = "";
    if (text === "") return;
    this.#last = performance.now();
    this.#tell(text);
  }
}
