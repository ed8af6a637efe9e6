import { afterFrame } from "./drawing-pace.js";

/** How near to what is seen an element is, in pixels, when its document is drawn. */
const NEAR = "1000px";

/** Milliseconds that the next document waits for one at most: a hostile one may load for as long as it likes. */
const LONGEST = 1000;

/**
 * Draws foreign documents near what is seen, one after the other: an engine that draws them on the page's thread lays out in
 * one go what has loaded meanwhile, and all that are there cost it time again and again.
 */
class FrameQueue {
  readonly #watched = new Map<Element, (isNear: boolean) => void>();
  #observer: IntersectionObserver | undefined;
  #last: Promise<void> = Promise.resolve();

  /** Tells soon, and whenever it changes, whether the element is near what is seen. */
  watch(element: Element, notice: (isNear: boolean) => void): void {
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.#watched.get(target)?.(isIntersecting);
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    this.#watched.set(element, notice);
    this.#observer.observe(element);
  }

  unwatch(element: Element): void {
    this.#watched.delete(element);
    this.#observer?.unobserve(element);
  }

  /** Has `draw` called when those before have been drawn, unless nothing is to be drawn any more by then. */
  add(draw: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const turn = this.#last.then(() => (signal.aborted ? undefined : draw()));
    this.#last = Promise.race([turn, after(LONGEST)])
      .catch(() => undefined)
      .then(untilPainted);
    return turn;
  }
}

/** That of the page. */
export const frameQueue = new FrameQueue();

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Ends when what there is now is on the screen. */
async function untilPainted(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await afterFrame();
}
