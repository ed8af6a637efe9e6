import { CellStoppedError } from "./errors.js";

/** How a run is stopped: before its code is at work by giving it up, from then on by interrupting the code. */
export class RunStop {
  readonly #reader: AbortSignal;
  readonly #all = new AbortController();
  readonly #before = new AbortController();
  #isAtWork = false;
  #isOver = false;

  /** @param reader - aborted when the reader stops the run. */
  constructor(reader: AbortSignal) {
    this.#reader = reader;
    reader.addEventListener("abort", this.now);
    if (reader.aborted) this.now();
  }

  /** Aborted whenever the run is stopped. */
  get signal(): AbortSignal {
    return this.#all.signal;
  }

  /** Aborted where it is stopped before its code is at work. */
  get beforeCode(): AbortSignal {
    return this.#before.signal;
  }

  /** Whether somebody has the outcome, or knows that there will be none. */
  get isOver(): boolean {
    return this.#isOver || this.beforeCode.aborted;
  }

  readonly now = (): void => {
    const reason = new CellStoppedError();
    if (!this.#isAtWork) this.#before.abort(reason);
    this.#all.abort(reason);
  };

  codeBegins(): void {
    this.#isAtWork = true;
  }

  end(): void {
    this.#isOver = true;
    this.#reader.removeEventListener("abort", this.now);
  }
}
