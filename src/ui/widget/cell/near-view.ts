/** Calls back once each time a cell has come near what the reader sees. One observer for all cells of the page. */
export class NearView {
  readonly #callbacks = new WeakMap<Element, () => void>();
  #observer: IntersectionObserver | null = null;

  watch(cell: Element, isNear: () => void): void {
    this.#callbacks.set(cell, isNear);
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) this.#callbacks.get(target)?.();
      },
      { rootMargin: "200px" },
    );
    this.#observer.observe(cell);
  }

  forget(cell: Element): void {
    this.#callbacks.delete(cell);
    this.#observer?.unobserve(cell);
  }
}
