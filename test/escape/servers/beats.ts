import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds until a beat is answered, and with that between two. */
const PACE = 100;

/**
 * Hears by requests, one after the other, that the threads of pages are alive: a driver cannot ask a page whose thread has
 * stopped, nor in every engine another one beside it.
 */
export class Beats {
  readonly #counts = new Map<string, number>();
  readonly #held = new Map<string, () => void>();
  readonly #begun = new Set<string>();

  /** A page is alive. Resolves when it is to say so again. */
  async beat(name: string): Promise<void> {
    this.#counts.set(name, this.count(name) + 1);
    await delay(PACE);
  }

  /** How often a page has said that it is alive. */
  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** A page has all that it needs. Resolves when it is to begin. */
  hold(name: string): Promise<void> {
    return new Promise((resolve) => {
      this.#held.set(name, resolve);
      if (this.#begun.has(name)) resolve();
    });
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  hasBegun(name: string): boolean {
    return this.#begun.has(name);
  }

  begin(name: string): void {
    this.#begun.add(name);
    this.#held.get(name)?.();
  }
}
