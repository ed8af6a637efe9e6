import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import { cleanHtml, type FoundLink } from "../drawing/clean-html.js";
import { sealedHtml, sealedSvg, svgShape } from "../drawing/sealed-document.js";
import { openLink } from "./link-dialog.js";
import { ViewElement } from "./view-element.js";

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
  #height = 0;
  #ratio = 0;
  #expanded = false;
  #fault = "";

  constructor() {
    super();
    this.kind = "html";
    this.content = "";
    this.label = "";
    this.tall = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("content") && !changed.has("kind")) return;
    if (this.kind === "svg") this.#prepareSvg();
    else this.#prepareHtml();
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
    return html`<iframe
        class="sealed"
        sandbox=""
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
      <summary>${this.#links.length === 1 ? "1 link" : `${String(this.#links.length)} links`}</summary>
      <ul>
        ${this.#links.slice(0, 50).map(
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

  #prepareSvg(): void {
    const { text, ratio } = svgShape(this.content);
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    this.#fault =
      parsed.querySelector("parsererror") === null ? "" : "This SVG is damaged and cannot be drawn. Its text:";
    this.#ratio = ratio;
    this.#links = [];
    this.#document = sealedSvg(text, this.label);
  }

  #prepareHtml(): void {
    const { html: clean, links } = cleanHtml(this.content);
    this.#fault = "";
    this.#ratio = 0;
    this.#links = links;
    this.#document = sealedHtml(clean, this.label);
    // Without scripts nobody can measure it; the text says roughly how much there is.
    const rows = this.content.match(/<tr[\s>]|<p[\s>]|<li[\s>]|<h[1-6][\s>]|<br[\s>/]/gi)?.length ?? 0;
    this.#height = Math.min(420, Math.max(64, 28 + rows * 30 + Math.floor(clean.length / 400) * 8));
  }
}
customElements.define("vitrine-sealed-view", SealedView);
