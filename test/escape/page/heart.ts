import type { Session } from "../../../src/index.js";

/** Milliseconds between two beats. */
const PACE = 100;

/** What no silence is longer than; JSON has no infinity. */
const FOREVER = Number.MAX_SAFE_INTEGER;

/** The longest silence of the page or its other session. */
export interface Silence {
  /**
   * Milliseconds of work that a thread beside the page's got done meanwhile, on a machine with nothing else to do. A machine
   * that is busy keeps both from working, so that this is the page's own silence.
   */
  readonly worked: number;
  /** Milliseconds by the clock. */
  readonly waited: number;
}

/** What the watching thread is told: `of` is alive, or asks for what it has counted. */
export type Beat = { readonly kind: "alive"; readonly of: "page" | "neighbour" } | { readonly kind: "end" };

/** Tells a thread of its own that page and neighbour are alive, which counts for how long it does not hear of them. */
export class Heart {
  readonly #watch = new Worker(new URL("./heart.worker.ts", import.meta.url), { type: "module" });
  readonly #neighbour: Session;

  constructor(neighbour: Session) {
    this.#neighbour = neighbour;
  }

  /** Begins to beat. Call what it returns to end it. */
  beat(): () => Promise<Silence> {
    const alive = (): void => {
      this.#tell({ kind: "alive", of: "page" });
    };
    alive();
    const timer = setInterval(alive, PACE);
    const ending = new AbortController();
    const asking = this.#keepAsking(ending.signal);
    return async () => {
      ending.abort();
      const isLost = (await asking) === "lost";
      clearInterval(timer);
      alive();
      const silence = await this.#longest();
      return isLost ? { worked: FOREVER, waited: FOREVER } : silence;
    };
  }

  /** Tells whether the neighbour still has what it had. */
  async #keepAsking(ending: AbortSignal): Promise<"well" | "lost"> {
    while (!ending.aborted) {
      this.#tell({ kind: "alive", of: "neighbour" });
      const { value } = await this.#neighbour.run("answer");
      this.#tell({ kind: "alive", of: "neighbour" });
      if (value !== 42) return "lost";
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
    return "well";
  }

  #longest(): Promise<Silence> {
    return new Promise((resolve) => {
      this.#watch.onmessage = ({ data }: MessageEvent<Silence>) => {
        resolve(data);
      };
      this.#tell({ kind: "end" });
    });
  }

  #tell(beat: Beat): void {
    this.#watch.postMessage(beat);
  }
}
