/** Something that tells when it changed. What changed, its readers look up themselves. */
export class Observable {
  readonly #listeners = new Set<() => void>();

  /** @returns how to stop listening. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  protected changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
