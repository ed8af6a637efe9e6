import { html, nothing, type TemplateResult } from "lit";

import { DrawingPace } from "../../drawing/drawing-pace.js";
import { formatCount } from "../../state/text/format.js";
import type { ViewElement } from "./view-element.js";

export interface ListPartOptions<Item> {
  /** How many more items a click brings. */
  readonly step: number;
  /** Items that are drawn without being asked for. Default: as many as a click brings. */
  readonly first?: number;
  /** Finds in the element what is to have the focus after a click, once in each item. Default: the button keeps it. */
  readonly focusable?: string;
  /** Items that are drawn together, where each is small. Default 1. */
  readonly together?: number;
  /**
   * Names an item that is drawn once for as long as it is the same object. Another object of its name is drawn in its turn,
   * a few in a frame, and the one before stays until then. Default: items may be drawn again at any time.
   */
  readonly nameOf?: (item: Item) => string;
}

/**
 * The first items of a list that code can make as long as it likes, drawn a few in a frame, and more of them when they are
 * asked for.
 */
export class ListPart<Item> {
  readonly #host: ViewElement;
  readonly #step: number;
  readonly #focusable: string | undefined;
  readonly #together: number;
  readonly #pace = new DrawingPace();
  #wanted: number;
  #drawn = 0;
  #goesOn: Promise<void> | undefined;
  readonly #nameOf: ListPartOptions<Item>["nameOf"];
  /** What is drawn, by its name, where each is drawn once. */
  #shown: ReadonlyMap<string, Item> = new Map();

  constructor(host: ViewElement, { step, first = step, focusable, together = 1, nameOf }: ListPartOptions<Item>) {
    this.#host = host;
    this.#step = step;
    this.#focusable = focusable;
    this.#together = together;
    this.#nameOf = nameOf;
    this.#wanted = first;
  }

  /** Those to draw now. Others may follow in frames to come. */
  of(items: readonly Item[]): readonly Item[] {
    if (this.#nameOf !== undefined) return this.#inTurn(items.slice(0, this.#wanted), this.#nameOf);
    const wanted = Math.min(this.#wanted, items.length);
    this.#drawn = Math.min(this.#drawn, wanted);
    if (this.#drawn < wanted && this.#goesOn === undefined) {
      this.#drawn = Math.min(wanted, this.#drawn + this.#pace.begin() * this.#together);
      if (this.#drawn < wanted) this.#goesOn = this.#drawOn();
    }
    return items.slice(0, this.#drawn);
  }

  /** A few that were not drawn yet, and what is drawn until the turn of the others comes. */
  #inTurn(wanted: readonly Item[], nameOf: (item: Item) => string): readonly Item[] {
    const isDrawn = (item: Item): boolean => this.#shown.get(nameOf(item)) === item;
    const others = wanted.filter((item) => !isDrawn(item));
    const few = others.length === 0 || this.#goesOn !== undefined ? 0 : this.#pace.begin() * this.#together;
    const next = new Set(others.slice(0, few));
    if (others.length > few) this.#goesOn ??= this.#drawOn();
    const drawn = wanted.flatMap((item) => (next.has(item) ? item : (this.#shown.get(nameOf(item)) ?? [])));
    this.#shown = new Map(drawn.map((item) => [nameOf(item), item]));
    return drawn;
  }

  /** Says below the list what of it is shown, and offers more; nothing where all of it is. */
  rest(items: readonly unknown[], noun: string): TemplateResult | typeof nothing {
    const left = items.length - this.#wanted;
    if (left <= 0) return nothing;
    return html`<p class="hint rest">
      ${this.#wanted.toLocaleString("en-US")} of ${formatCount(items.length, noun)}.
      <button type="button" class="quiet-link" @click=${() => void this.showMore()}>
        Show ${Math.min(left, this.#step).toLocaleString("en-US")} more
      </button>
    </p>`;
  }

  /** Has more of it drawn, from now on. */
  async showMore(): Promise<void> {
    const before = this.#wanted;
    this.#wanted += this.#step;
    this.#host.requestUpdate();
    if (this.#focusable === undefined) return;
    await this.#host.updateComplete;
    // Where the reading goes on: the button has moved down, or is gone.
    this.#host.querySelectorAll<HTMLElement>(this.#focusable)[before]?.focus();
  }

  async #drawOn(): Promise<void> {
    await this.#pace.rest();
    this.#goesOn = undefined;
    this.#host.requestUpdate();
  }
}
