import type { CellPhase } from "../cell-runtime.js";

/** Tells the runs that wait for the same thing how far it has come. One that comes later hears the last of it first. */
export class PhaseChannel {
  readonly #listeners = new Set<(phase: CellPhase) => void>();
  #last: CellPhase | undefined;

  /** @returns how to stop. */
  listen(listener: (phase: CellPhase) => void): () => void {
    this.#listeners.add(listener);
    if (this.#last !== undefined) listener(this.#last);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(phase: CellPhase): void {
    this.#last = phase;
    for (const listener of this.#listeners) listener(phase);
  }

  /** The last that was told and is not over. */
  get last(): CellPhase | undefined {
    return this.#last;
  }

  /** Nothing is waited for any more. */
  clear(): void {
    this.#last = undefined;
  }
}
