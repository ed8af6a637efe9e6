/** Milliseconds of work after which the page has its turn. */
const SLICE = 4;

/** Work that lets the page go on in between: `await slices.rest()` now and then, as often as one likes. */
export class Slices {
  #began = performance.now();

  /** Gives the thread away when the slice is used up, and does nothing before. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#began < SLICE ? undefined : this.#yield();
  }

  async #yield(): Promise<void> {
    // A timer would be held back to one a second in a hidden tab.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    port1.close();
    this.#began = performance.now();
  }
}
