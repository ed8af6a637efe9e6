import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import { nextTurn } from "../../protocol/index.js";
import { cleanHtml, type FoundLink } from "../drawing/clean-html.js";
import { sealedHtml, sealedSvg, svgShape } from "../drawing/sealed-document.js";
import { svgFault } from "../drawing/svg-fault.js";
import { formatCount } from "../state/format.js";
import { openLink } from "./link-dialog.js";
import { ViewElement } from "./view-element.js";

/** A photo in a drawing would be a negative where the drawing is turned round. */
const HOLDS_PHOTO = /<(?:image|foreignObject)\b/i;

/**
 * Draws HTML or SVG that code made: in a frame without scripts, origin and
 * network. Its height is known before it is drawn, so that nothing jumps.
 */
export class SealedView extends ViewElement {
  static override properties = {
    kind: {},
    content: {},
    label: {},
    tall: { type: Boolean },
  };
  declare kind: "html" | "svg";
  declare content: string;
  /** What the frame is called. */
  declare label: string;
  /** Takes the room it is given instead of a height of its own. */
  declare tall: boolean;

  #document = "";
  #links: readonly FoundLink[] = [];
  #linkCount = 0;
  #height = 0;
  #ratio = 0;
  #expanded = false;
  #fault = "";
  #preparing: Promise<void> = Promise.resolve();

  constructor() {
    super();
    this.kind = "html";
    this.content = "";
    this.label = "";
    this.tall = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("content") && !changed.has("kind")) return;
    this.#preparing = this.kind === "svg" ? this.#prepareSvg(this.content) : this.#prepareHtml(this.content);
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#preparing;
    return super.getUpdateComplete();
  }

  override render(): TemplateResult {
    if (this.#fault !== "") {
      return html`<p class="hint">${this.#fault}</p>
        <pre class="plain" tabindex="0">${this.content.slice(0, 20_000)}</pre>`;
    }
    const size =
      this.#ratio > 0
        ? `aspect-ratio:${String(this.#ratio)}`
        : `block-size:${this.#expanded ? "min(70vh, 1200px)" : `${String(this.#height)}px`}`;
    // A frame that has a document and gets another adds a step to the history of the page's tab.
    if (this.#document === "") return html`<div class="sealed" style=${this.tall ? "" : size} aria-busy="true"></div>`;
    return html`<iframe
        class="sealed ${this.kind === "svg" && !HOLDS_PHOTO.test(this.content) ? "turned" : ""}"
        sandbox=""
        loading="lazy"
        title=${this.label}
        srcdoc=${this.#document}
        style=${this.tall ? "" : size}
      ></iframe>
      ${this.kind === "html" && !this.tall ? this.#expander() : nothing} ${this.#linkList()}`;
  }

  #expander(): TemplateResult {
    return html`<button
      type="button"
      class="quiet-link"
      aria-expanded=${this.#expanded}
      @click=${() => {
        this.#expanded = !this.#expanded;
        this.requestUpdate();
      }}
    >
      ${this.#expanded ? "Less" : "More"}
    </button>`;
  }

  #linkList(): TemplateResult | typeof nothing {
    if (this.#links.length === 0) return nothing;
    return html`<details class="links">
      <summary>${formatCount(this.#linkCount, "link")}</summary>
      <ul>
        ${this.#links.map(
          ({ text, target }) =>
            html`<li>
              <button type="button" class="link" title=${target} @click=${() => openLink(target)}>
                ${text === "" ? target : text}
              </button>
            </li>`,
        )}
      </ul>
    </details>`;
  }

  /** The frame has its room at once, and its document when that was looked at: of many drawings one in a turn. */
  async #prepareSvg(content: string): Promise<void> {
    const { text, ratio } = svgShape(content);
    this.#fault = "";
    this.#ratio = ratio;
    this.#links = [];
    this.#document = "";
    await nextTurn();
    const fault = await svgFault(text);
    if (this.content !== content || this.kind !== "svg") return;
    this.#fault = fault;
    if (fault === "") this.#document = sealedSvg(text, this.label);
    this.requestUpdate();
  }

  /** The frame has its room at once, and its document when it is clean. */
  async #prepareHtml(content: string): Promise<void> {
    this.#fault = "";
    this.#ratio = 0;
    this.#links = [];
    this.#document = "";
    this.#height = roughHeight(content);
    const clean = await cleanHtml(content);
    if (this.content !== content || this.kind !== "html") return;
    if (clean === null) this.#fault = "This HTML is too large to be drawn. The beginning of its text:";
    else {
      this.#links = clean.links;
      this.#linkCount = clean.linkCount;
      this.#document = sealedHtml(clean.html, this.label);
    }
    this.requestUpdate();
  }
}
customElements.define("vitrine-sealed-view", SealedView);

/** Characters by which the height of a document is estimated: one of so many is as high as any can be. */
const ENOUGH = 200_000;

/** Pixels, estimated from the text: a frame without scripts cannot be measured. */
function roughHeight(content: string): number {
  const rows = content.slice(0, ENOUGH).match(/<tr[\s>]|<p[\s>]|<li[\s>]|<h[1-6][\s>]|<br[\s>/]/gi)?.length ?? 0;
  return Math.min(420, Math.max(64, 28 + rows * 30 + Math.floor(content.length / 400) * 8));
}
