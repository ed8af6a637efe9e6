/** How much of something may be used, and how much of it has been. */
export class Allowance {
  readonly limit: number;
  #used: number;

  constructor(limit = Infinity, used = 0) {
    this.limit = limit;
    this.#used = used;
  }

  get used(): number {
    return this.#used;
  }

  get left(): number {
    return Math.max(0, this.limit - this.used);
  }

  /** Counts what was used, whether it was left or not; less than nothing gives some back. */
  count(amount = 1): void {
    this.#used += amount;
  }

  /** Counts one more where one is left. False: none was. */
  take(): boolean {
    const isThere = this.left > 0;
    if (isThere) this.count();
    return isThere;
  }
}
