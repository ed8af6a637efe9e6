/** Whom a store tells about its changes. A listener that throws is reported and spoils nothing. */
export class ChangeListeners<Change> {
  readonly #listeners = new Set<(change: Change) => void>();

  /** @returns a function that takes the listener off again. */
  add(listener: (change: Change) => void): () => void {
    // A wrapper, so that the same function added twice is told twice and taken off once.
    const own = (change: Change): void => {
      listener(change);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(change: Change): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
