import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import { Slices } from "../../../protocol/index.js";
import { afterFrame } from "../../drawing/drawing-pace.js";
import { drawMarkdown } from "../../drawing/markdown.js";
import { markdownPieces } from "../../drawing/markdown-pieces.js";
import { beginningOf, drawingCost } from "../../state/text/text-ends.js";
import { formatCount } from "../../state/text/format.js";
import { define, ViewElement } from "../base/view-element.js";
import { openLink } from "./link-dialog.js";

/** Characters that are drawn, and what they may count for with their lines. */
const LONGEST = 200_000;
const MOST = 500_000;

/** What a piece counts for that has a frame to itself. */
const DEAR = 10_000;

interface DrawnPiece {
  readonly text: string;
  readonly nodes: readonly ChildNode[];
}

/** Markdown that a model or code wrote. Of a long text the beginning is there at once, and the rest piece by piece. */
export class MarkdownView extends ViewElement {
  static override properties = { text: {}, hosts: { type: Boolean } };
  declare text: string;
  /** Whether each link says the host that it leads to. */
  declare hosts: boolean;
  readonly #content = document.createElement("div");
  #drawn: DrawnPiece[] = [];
  #drawings = 0;
  #drawing: Promise<void> = Promise.resolve();

  constructor() {
    super();
    this.text = "";
    this.hosts = false;
    this.#content.className = "markdown";
    this.#content.dir = "auto";
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("text")) this.#drawing = this.#draw(this.text);
  }

  override render(): TemplateResult {
    const hidden = this.text.length - drawnOf(this.text).length;
    return html`${this.#content}${
      hidden > 0 ? html`<p class="hint">… ${formatCount(hidden, "more character")} not shown</p>` : nothing
    }`;
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await this.#drawing;
    return isComplete;
  }

  /** A text that grows keeps what was drawn of its beginning. */
  async #draw(text: string): Promise<void> {
    const drawing = (this.#drawings += 1);
    const pieces = markdownPieces(drawnOf(text));
    const differing = this.#drawn.findIndex((drawn, index) => drawn.text !== pieces[index]);
    const kept = differing < 0 ? this.#drawn.length : differing;
    for (const { nodes } of this.#drawn.splice(kept)) for (const node of nodes) node.remove();
    const slices = new Slices();
    for (const piece of pieces.slice(kept)) {
      const drawn = drawMarkdown(piece, {
        onLink: (target) => openLink(target, this),
        showsHosts: this.hosts,
      });
      this.#drawn.push({ text: piece, nodes: [...drawn.childNodes] });
      this.#content.append(drawn);
      if (drawingCost(piece) > DEAR) await afterFrame();
      else await slices.rest();
      if (this.#drawings !== drawing) return;
    }
  }
}
define("vitrine-app-markdown", MarkdownView);

function drawnOf(text: string): string {
  return beginningOf(text.slice(0, LONGEST), MOST);
}
