/** Milliseconds of work after which the page has its turn. */
const SLICE = 4;

/** What lets the thread go and is to go on. */
const waiting: (() => void)[] = [];

/** Work that lets the page go on in between: `await slices.rest()` now and then, as often as one likes. */
export class Slices {
  // While others wait it has no slice of its own yet.
  #began = waiting.length > 0 ? -Infinity : performance.now();

  /** Gives the thread away when the slice is used up, and does nothing before. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#began < SLICE ? undefined : this.#yield();
  }

  async #yield(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}

/** Lets whatever else wants the thread have it. Of all that wait here one goes on in each turn: many would be one long stretch. */
export function nextTurn(): Promise<void> {
  return new Promise((goOn) => {
    waiting.push(goOn);
    if (waiting.length === 1) takeTurns();
  });
}

function takeTurns(): void {
  // A timer would be held back to one a second in a hidden tab.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    waiting.shift()?.();
    if (waiting.length > 0) port2.postMessage(null);
    else port1.close();
  };
  port2.postMessage(null);
}
