import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import { cleanHtml, type FoundLink } from "../../drawing/clean-html.js";
import { beginningOf } from "../../state/text/text-ends.js";
import { frameQueue } from "../../drawing/frame-queue.js";
import { PICTURES_REFUSED, refusesPictures } from "../../drawing/picture-permission.js";
import { sealedHtml, sealedSvg, svgShape } from "../../drawing/sealed-document.js";
import { svgFault } from "../../drawing/svg-fault.js";
import { whyNotDrawn } from "../../drawing/why-not-drawn.js";
import { formatCount } from "../../state/text/format.js";
import { define, ViewElement } from "../base/view-element.js";
import { openLink } from "./link-dialog.js";

/** A photo in a drawing would be a negative where the drawing is turned round. */
const HOLDS_PHOTO = /<(?:image|foreignObject)\b/i;

/** How much smaller an SVG is drawn that has a size of its own. */
const SMALLEST = 0.75;

/** The height of HTML that was enlarged: a part of the window's, and pixels at most. */
const EXPANDED = 0.7;
const HIGHEST = 1200;

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
    ownSize: { type: Boolean, attribute: "own-size" },
  };
  declare kind: "html" | "svg";
  declare content: string;
  /** What the frame is called. */
  declare label: string;
  /** Takes the room it is given instead of a height of its own. */
  declare tall: boolean;
  /** An SVG is drawn no larger than it says that it is, and not much smaller: else its letters could not be read. */
  declare ownSize: boolean;

  #document = "";
  /** What is in the document, where it is HTML. */
  #html = "";
  #links: readonly FoundLink[] = [];
  #linkCount = 0;
  #lacksStyles = false;
  #height = 0;
  #ratio = 0;
  #width: number | undefined;
  #expanded = false;
  #fault = "";
  /** Whether it is to be drawn only once somebody asks for it: it may hold up the page. */
  #isHeldBack = false;
  /** Whether the document has been looked at, and is there or has a fault. */
  #isPrepared = false;
  #isNear = false;
  /** Whether the document is in its frame. */
  #isInFrame = false;
  /** Ends what is being drawn. */
  #drawing = new AbortController();
  #drawn: Promise<void> = Promise.resolve();
  #noticed = Promise.withResolvers<undefined>();

  constructor() {
    super();
    this.kind = "html";
    this.content = "";
    this.label = "";
    this.tall = false;
    this.ownSize = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    frameQueue.watch(this, this.#notice);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    frameQueue.unwatch(this);
    this.#notice(false);
    this.#noticed = Promise.withResolvers();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("content") && !changed.has("kind")) return;
    this.#fault = "";
    this.#links = [];
    this.#lacksStyles = false;
    this.#isHeldBack = false;
    this.#document = "";
    this.#html = "";
    this.#isPrepared = false;
    // The frame has its room at once.
    const shape = this.kind === "svg" ? svgShape(this.content) : undefined;
    this.#ratio = shape?.ratio ?? 0;
    this.#width = this.ownSize ? shape?.width : undefined;
    this.#height = this.kind === "svg" ? 0 : roughHeight(this.content);
    this.#erase();
    if (this.#isNear) this.#draw();
  }

  /** Also waits for its document to be loaded, where it is near what is seen. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#noticed.promise;
    await this.#drawn;
    return super.getUpdateComplete();
  }

  override render(): TemplateResult {
    if (this.#fault !== "") {
      return html`<p class="hint">${this.#fault}</p>
        <pre class="plain" tabindex="0" dir="ltr">${beginningOf(this.content, 20_000)}</pre>`;
    }
    const widest =
      this.#width === undefined
        ? ""
        : `;max-inline-size:${String(this.#width)}px;min-inline-size:${String(this.#width * SMALLEST)}px`;
    const size =
      this.#ratio > 0
        ? `aspect-ratio:${String(this.#ratio)}${widest}`
        : `block-size:${this.#expanded ? `min(${String(100 * EXPANDED)}vh, ${String(HIGHEST)}px)` : `${String(this.#height)}px`}`;
    return html`${this.#frame(this.tall ? "" : size)} ${this.kind === "html" && !this.tall ? this.#expander() : nothing}
    ${this.#lacksStyles ? html`<p class="hint">Parts of this document's styling are left out because drawing them would take too long.</p>` : nothing}
    ${this.#linkList()}`;
  }

  /** The style is set as a property: as an attribute a page's policy would refuse it. */
  #frame(style: string): TemplateResult {
    if (this.#isHeldBack) {
      return html`<div class="sealed held-back" .style=${style}>
        <p>This drawing is large. While it is drawn, the page may not respond for some seconds.</p>
        <button type="button" class="btn" @click=${this.#drawAllTheSame}>Draw it</button>
      </div>`;
    }
    // A frame that has a document and gets another adds a step to the history of the page's tab.
    if (!this.#isInFrame) return html`<div class="sealed" .style=${style} aria-busy="true"></div>`;
    return html`<iframe
      class="sealed ${this.kind === "svg" && !HOLDS_PHOTO.test(this.content) ? "turned" : ""}"
      sandbox=""
      scrolling=${this.kind === "svg" ? "no" : nothing}
      title=${this.label}
      srcdoc=${this.#document}
      .style=${style}
    ></iframe>`;
  }

  #expander(): TemplateResult {
    return html`<button type="button" class="quiet-link" aria-expanded=${this.#expanded} @click=${this.#expand}>
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
              <button type="button" class="link" title=${target} @click=${() => openLink(target, this)}>
                ${text === "" ? target : text}
              </button>
            </li>`,
        )}
      </ul>
    </details>`;
  }

  readonly #expand = (): void => {
    this.#expanded = !this.#expanded;
    this.requestUpdate();
    // Else the document within grows with its frame.
    if (!this.#isInFrame || !refusesStyles()) return;
    this.#document = sealedHtml(this.#html, this.label, this.#pixels());
    this.#erase();
    this.#draw();
  };

  /** How high the frame of HTML is. */
  #pixels(): number {
    return this.#expanded ? Math.round(Math.min(EXPANDED * innerHeight, HIGHEST)) : this.#height;
  }

  readonly #notice = (isNear: boolean): void => {
    this.#noticed.resolve(undefined);
    if (this.#isNear === isNear) return;
    this.#isNear = isNear;
    if (isNear) this.#draw();
    else this.#erase();
  };

  readonly #drawAllTheSame = async (): Promise<void> => {
    this.#isHeldBack = false;
    this.requestUpdate();
    this.#draw();
    await this.updateComplete;
    // The button that had the focus is gone.
    this.querySelector("iframe")?.focus({ preventScroll: true });
  };

  #draw(): void {
    this.#drawing = new AbortController();
    const { signal } = this.#drawing;
    this.#drawn = frameQueue.add(() => this.#drawNow(signal), signal);
  }

  /** Takes the document out of its frame, and the frame away. */
  #erase(): void {
    this.#drawing.abort();
    this.#isInFrame = false;
    this.requestUpdate();
  }

  async #drawNow(signal: AbortSignal): Promise<void> {
    try {
      if (!this.#isPrepared) await (this.kind === "svg" ? this.#prepareSvg(signal) : this.#prepareHtml(signal));
    } catch (error) {
      const what = this.kind === "svg" ? "This drawing cannot be shown" : "This HTML cannot be drawn";
      this.#fault = `${what}, because ${whyNotDrawn(error)}. The beginning of its text:`;
    }
    if (signal.aborted) return;
    this.#isPrepared = true;
    this.#isInFrame = this.#fault === "" && !this.#isHeldBack;
    this.requestUpdate();
    await super.getUpdateComplete();
    const frame = this.querySelector("iframe");
    if (frame !== null) await loaded(frame, signal);
  }

  async #prepareSvg(signal: AbortSignal): Promise<void> {
    const { text } = svgShape(this.content);
    const fault = (await refusesPictures())
      ? `This drawing cannot be shown, because ${PICTURES_REFUSED}. The beginning of its text:`
      : await svgFault(text);
    const { svgHoldsUpPage } = await import("../../drawing/drawing-weight.js");
    const isHeldBack = fault === "" && (await svgHoldsUpPage(text));
    if (signal.aborted) return;
    this.#fault = fault;
    if (fault !== "") return;
    this.#document = sealedSvg(text, this.label);
    this.#isHeldBack = isHeldBack;
  }

  async #prepareHtml(signal: AbortSignal): Promise<void> {
    const clean = await cleanHtml(this.content);
    if (signal.aborted) return;
    if (clean === null) this.#fault = "This HTML is too large to be drawn. The beginning of its text:";
    else {
      this.#links = clean.links;
      this.#linkCount = clean.linkCount;
      this.#lacksStyles = clean.lacksStyles;
      this.#isHeldBack = clean.holdsUpPage;
      this.#html = clean.html;
      this.#document = sealedHtml(clean.html, this.label, this.#pixels());
    }
  }
}
define("vitrine-app-sealed-view", SealedView);

/** Characters by which the height of a document is estimated: one of so many is as high as any can be. */
const ENOUGH = 200_000;

/** Pixels, estimated from the text: a frame without scripts cannot be measured. */
function roughHeight(content: string): number {
  const rows = content.slice(0, ENOUGH).match(/<tr[\s>]|<p[\s>]|<li[\s>]|<h[1-6][\s>]|<br[\s>/]/gi)?.length ?? 0;
  return Math.min(420, Math.max(64, 28 + rows * 30 + Math.floor(content.length / 400) * 8));
}

let isRefused: boolean | undefined;

/** Whether the policy of the page refuses styles in a document, and with it in those of frames. Tried once: a browser notes it. */
function refusesStyles(): boolean {
  if (isRefused === undefined) {
    const style = document.createElement("style");
    style.textContent = ":root {}";
    document.head.append(style);
    isRefused = style.sheet === null;
    style.remove();
  }
  return isRefused;
}

/** Ends when the frame has loaded, or is to be drawn no more. */
function loaded(frame: HTMLIFrameElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      resolve();
    };
    frame.addEventListener("load", done, { once: true });
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) resolve();
  });
}
