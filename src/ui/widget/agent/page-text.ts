/** Characters of a page that a model is given. */
export const LONGEST_TEXT = 20_000;

/** A part with more text than this is looked at by its parts: all of it would be laid out as text in one go. */
const LARGE = 100_000;

/** The main part of the page as its reader sees it, without what is in `agents`. */
export function pageText(agents: readonly Element[]): string {
  const gathered = new PageText(agents);
  gathered.add(mainPart());
  return gathered.text();
}

function mainPart(): Element {
  const parts = ["main, [role=main]", "article"].map((selector) =>
    Array.from(document.querySelectorAll(selector)).find((each) => each.getClientRects().length > 0),
  );
  return parts.find((each) => each !== undefined) ?? document.body;
}

class PageText {
  readonly #agents: readonly Element[];
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(agents: readonly Element[]) {
    this.#agents = agents;
  }

  text(): string {
    return this.#pieces.join("\n").slice(0, LONGEST_TEXT);
  }

  add(element: Element): void {
    if (this.#length >= LONGEST_TEXT || !(element instanceof HTMLElement)) return;
    // What is not shown at all would give its text all the same.
    if (this.#agents.includes(element) || getComputedStyle(element).display === "none") return;
    const isWhole = !this.#agents.some((agent) => element.contains(agent)) && element.textContent.length <= LARGE;
    if (isWhole || element.childNodes.length === 0) this.#take(element.innerText);
    else for (const node of element.childNodes) this.#addNode(node);
  }

  #addNode(node: Node): void {
    if (node instanceof Text) this.#take(node.data.slice(0, LARGE));
    else if (node instanceof Element) this.add(node);
  }

  #take(text: string): void {
    const taken = text.trim().slice(0, LONGEST_TEXT);
    if (taken === "") return;
    this.#pieces.push(taken);
    this.#length += taken.length + 1;
  }
}
