/** Elements that are taken out of a document together. */
const MOST = 300;

/** By namespace: an element in which all its elements may be, so that cleaning finds the parent that they had. */
const CONTAINERS: ReadonlyMap<string | null, string> = new Map([
  ["http://www.w3.org/1999/xhtml", "div"],
  ["http://www.w3.org/2000/svg", "svg"],
  ["http://www.w3.org/1998/Math/MathML", "math"],
]);

interface Batch {
  readonly container: Element;
  /** Where it was. */
  readonly place: Element;
}

/**
 * Takes a large document apart, so that it can be cleaned bit by bit. Elements are moved as they are, never written and
 * read again, which might make others of them. A batch has the namespace of the parent that it had; what lies across two
 * namespaces stays in the document.
 */
export class ElementBatches {
  readonly #parsed: Document;
  readonly #sizes = new Map<Element, number>();
  readonly #batches: Batch[] = [];

  constructor(parsed: Document) {
    this.#parsed = parsed;
  }

  /** One batch after the other, the innermost first. Then the document holds what is left. */
  *take(): Iterable<Element> {
    const { body } = this.#parsed;
    // A document of frames has none.
    const root = body as HTMLElement | null;
    if (root === null || this.#measure(root) <= MOST) return;
    yield* this.#takeFrom(root);
  }

  /** Puts the batches back, the outermost first. Those whose places are gone go with them. */
  putBack(): void {
    for (const { container, place } of this.#batches.reverse()) place.replaceWith(...container.childNodes);
  }

  *#takeFrom(parent: Element): Iterable<Element> {
    let few: Element[] = [];
    let count = 0;
    for (const child of [...parent.children]) {
      const size = this.#sizes.get(child) ?? 1;
      if (size > MOST) yield* this.#takeFrom(child);
      const left = size > MOST ? this.#measure(child) : size;
      if (count + left > MOST || child.namespaceURI !== parent.namespaceURI || left > MOST) {
        yield* this.#move(parent, few);
        few = [];
        count = 0;
      }
      if (child.namespaceURI !== parent.namespaceURI || left > MOST) continue;
      few.push(child);
      count += left;
    }
    if (this.#measure(parent) > MOST) yield* this.#move(parent, few);
  }

  *#move(parent: Element, elements: readonly Element[]): Iterable<Element> {
    const [first] = elements;
    const name = CONTAINERS.get(parent.namespaceURI);
    const size = elements.reduce((sum, element) => sum + (this.#sizes.get(element) ?? 1), 0);
    // What takes its place is an element as well.
    if (first === undefined || size < 2 || name === undefined) return;
    const container = this.#parsed.createElementNS(parent.namespaceURI, name);
    const place = this.#parsed.createElementNS(parent.namespaceURI, name);
    first.before(place);
    const last = elements.at(-1);
    // With the texts between them.
    for (let node = place.nextSibling; node !== null; node = place.nextSibling) {
      container.append(node);
      if (node === last) break;
    }
    this.#batches.push({ container, place });
    yield container;
  }

  /** Elements in it, itself included. At most as deep as documents are that are drawn. */
  #measure(element: Element): number {
    let size = 1;
    for (const child of element.children) size += this.#measure(child);
    this.#sizes.set(element, size);
    return size;
  }
}
