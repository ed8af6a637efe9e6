/** Calls back when children of an element come or go: a page may still be on its way, or draw them again. */
export class ChildChanges {
  readonly #callbacks = new WeakMap<Node, () => void>();
  #observer: MutationObserver | null = null;

  /** An element that is gone is forgotten by the browser. */
  watch(element: Node, changed: () => void): void {
    this.#callbacks.set(element, changed);
    this.#observer ??= new MutationObserver((records) => {
      for (const target of new Set(records.map((record) => record.target))) this.#callbacks.get(target)?.();
    });
    this.#observer.observe(element, { childList: true });
  }
}
