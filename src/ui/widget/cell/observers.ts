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

/** Calls back when children of a cell come or go: a page may still be on its way, or draw them again. */
export class ChildChanges {
  readonly #callbacks = new WeakMap<Node, () => void>();
  #observer: MutationObserver | null = null;

  /** An element that is gone is forgotten by the browser. */
  watch(cell: Node, changed: () => void): void {
    this.#callbacks.set(cell, changed);
    this.#observer ??= new MutationObserver((records) => {
      for (const target of new Set(records.map((record) => record.target))) this.#callbacks.get(target)?.();
    });
    this.#observer.observe(cell, { childList: true });
  }
}
