import { html, type PropertyValues, type TemplateResult } from "lit";

import { DrawingPace } from "../../drawing/drawing-pace.js";
import { ViewElement } from "./view-element.js";

/** Says that all of a {@link BlockView} is drawn. */
export const DRAWN_EVENT = "vitrine-drawn";

/** A part of a text. */
export interface TextBlock {
  readonly parts: readonly (string | Node)[];
  /** About as many as it fills, so that its height is known before it is laid out. */
  readonly lines: number;
}

/**
 * A text that code can make as long as it likes, drawn whole: in blocks, a few in a frame, of which the browser lays out
 * those that are in view.
 */
export abstract class BlockView extends ViewElement {
  readonly #pace = new DrawingPace();
  #drawing: Promise<void> = Promise.resolve();
  #isDrawn = false;
  /** Counts the texts, so that the drawing of one ends where the next begins. */
  #turn = 0;

  /** Whether all of it is there to be read. */
  get isDrawn(): boolean {
    return this.#isDrawn;
  }

  /** Classes of the box. */
  protected readonly boxClass: string = "";

  /** Made one by one, each in little time. */
  protected abstract blocks(): Iterable<TextBlock>;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.size > 0) this.#isDrawn = false;
  }

  override render(): TemplateResult {
    return html`<pre tabindex="0" class=${this.boxClass}></pre>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.size > 0) this.#drawing = this.#draw();
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await this.#drawing;
    return isComplete;
  }

  async #draw(): Promise<void> {
    const turn = ++this.#turn;
    const box = this.querySelector("pre");
    if (box === null) return;
    box.replaceChildren();
    box.ariaBusy = "true";
    const blocks = this.blocks()[Symbol.iterator]();
    while (turn === this.#turn) {
      for (let left = this.#pace.begin(); left > 0; left--) {
        const next = blocks.next();
        if (next.done === true) {
          box.ariaBusy = "false";
          this.#isDrawn = true;
          this.dispatchEvent(new Event(DRAWN_EVENT, { bubbles: true }));
          return;
        }
        box.append(elementOf(next.value));
      }
      await this.#pace.rest();
    }
  }
}

function elementOf({ parts, lines }: TextBlock): HTMLElement {
  const element = document.createElement("span");
  element.className = "block";
  element.style.setProperty("--lines", String(lines));
  element.append(...parts);
  return element;
}
