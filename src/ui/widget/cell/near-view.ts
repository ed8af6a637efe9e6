/** Tells when a cell has come near what the reader sees. One observer for all cells of the page. */
export class NearView {
  readonly #tell: (cell: Element) => void;
  #observer: IntersectionObserver | null = null;

  constructor(tell: (cell: Element) => void) {
    this.#tell = tell;
  }

  watch(cell: Element): void {
    this.#observer ??= new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) this.#tell(target);
      },
      { rootMargin: "200px" },
    );
    this.#observer.observe(cell);
  }

  forget(cell: Element): void {
    this.#observer?.unobserve(cell);
  }
}
