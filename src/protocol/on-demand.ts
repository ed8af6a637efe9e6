/** A worker that the first who needs it starts, and another one once that is over. */
export class OnDemand<W extends { readonly isOver: boolean }> {
  readonly #start: () => Promise<W>;
  #worker: Promise<W> | undefined;

  constructor(start: () => Promise<W>) {
    this.#start = start;
  }

  /** The worker that runs. @throws what its start throws; the next who asks starts another. */
  async running(): Promise<W> {
    const current = this.#worker;
    if (current !== undefined && !(await current).isOver) return current;
    const starting = this.#start();
    this.#worker = starting;
    starting.catch(() => {
      if (this.#worker === starting) this.#worker = undefined;
    });
    return starting;
  }

  /** Has the worker ended, if there is one, also where it only starts. */
  stop(end: (worker: W) => void): void {
    const stopped = this.#worker;
    this.#worker = undefined;
    // Who waits for the start hears of its failure.
    stopped?.then(end, () => undefined);
  }
}
