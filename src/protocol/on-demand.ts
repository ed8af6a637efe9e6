/** A worker that the first who needs it starts, and another one once that is over. */
export class OnDemand<W extends { readonly isOver: boolean }> {
  readonly #start: () => Promise<W>;
  #worker: Promise<W> | undefined;

  constructor(start: () => Promise<W>) {
    this.#start = start;
  }

  /** The worker that runs. @throws what its start throws; the next who asks starts another. */
  async running(): Promise<W> {
    for (let current = this.#worker; current !== undefined; current = this.#worker) {
      if (!(await current).isOver) return current;
      // Of several who find that it is over, one starts another.
      if (this.#worker === current) this.#worker = undefined;
    }
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
