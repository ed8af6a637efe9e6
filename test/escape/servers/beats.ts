import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds until a beat is answered, and with that between two. */
const PACE = 100;

/**
 * Hears by requests, one after the other, that the threads of pages are alive: a driver cannot ask a page whose thread has
 * stopped, nor in every engine another one beside it.
 */
export class Beats {
  readonly #counts = new Map<string, number>();
  readonly #ready = new Set<string>();
  readonly #begun = new Set<string>();

  /**
   * A page is alive, and may have all that it needs to begin. Resolves when it is to say so again, to whether it is to begin.
   * The answer comes by the beat since browsers keep few connections to a host, and all pages may share them.
   */
  async beat(name: string, isReady: boolean): Promise<boolean> {
    this.#counts.set(name, this.count(name) + 1);
    if (isReady) this.#ready.add(name);
    await delay(PACE);
    return isReady && this.#begun.has(name);
  }

  /** How often a page has said that it is alive. */
  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  isReady(name: string): boolean {
    return this.#ready.has(name);
  }

  hasBegun(name: string): boolean {
    return this.#begun.has(name);
  }

  begin(name: string): void {
    this.#begun.add(name);
  }
}
