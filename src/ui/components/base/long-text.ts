import { html, nothing, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";

import { formatCount } from "../../state/text/format.js";
import { define, ViewElement } from "./view-element.js";

/** Pixels from an end of the text within which the reader counts as being there. */
const NEAR = 8;

/**
 * Text of any length in a box: where it is longer than the box, the edges beyond which it goes on fade, and below it stands
 * how many lines there are. The end is in view, as in a terminal, unless the reader scrolls away from it. Only a box that
 * scrolls is a stop on the way of the Tab key.
 */
export class LongText extends ViewElement {
  static override properties = { text: {}, kind: {}, label: {}, note: {}, isCode: { attribute: false } };
  declare text: string;
  /** Classes of the box. */
  declare kind: string;
  /** What it is, for those who do not see it. */
  declare label: string;
  /** What there is to say above the text. */
  declare note: string;
  /** Whether it reads from left to right whatever is in it: a value as Python writes it, a traceback. */
  declare isCode: boolean;
  #isLong = false;
  #isWhole = false;
  #goesOnAbove = false;
  #goesOnBelow = false;
  #follows = true;
  #growth: ResizeObserver | undefined;

  constructor() {
    super();
    this.text = "";
    this.kind = "";
    this.label = "";
    this.note = "";
    this.isCode = false;
  }

  override render(): TemplateResult {
    const looks = classMap({
      out: true,
      ...(this.kind === "" ? {} : { [this.kind]: true }),
      whole: this.#isWhole,
      above: this.#goesOnAbove,
      below: this.#goesOnBelow,
    });
    const label = this.label === "" ? nothing : html`<span class="visually-hidden">${this.label}: </span>`;
    const note = this.note === "" ? nothing : html`<span class="hint" dir="ltr">${`${this.note}\n`}</span>`;
    return html`<pre
        class=${looks}
        part=${this.kind === "bad" ? "error" : "text"}
        dir=${this.isCode ? "ltr" : "auto"}
        tabindex=${this.#isLong ? "0" : nothing}
        @scroll=${this.#noticeScroll}
      ><span class="lines">${label}${note}${this.text}</span></pre>
      ${this.#isLong ? this.#foot() : nothing}`;
  }

  #foot(): TemplateResult {
    return html`<p class="hint long">
      ${formatCount(countLines(this.text), "line")}
      <button
        type="button"
        class="quiet-link"
        @click=${() => {
          this.#isWhole = !this.#isWhole;
          this.requestUpdate();
        }}
      >
        ${this.#isWhole ? "Show less" : "Show all"}
      </button>
    </p>`;
  }

  override firstUpdated(): void {
    this.#observe();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#observe();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#growth?.disconnect();
  }

  /** What is observed is told after its layout: asking for sizes while drawing would lay out once for each text. */
  #observe(): void {
    const box = this.querySelector("pre");
    const lines = this.querySelector(".lines");
    if (box === null || lines === null) return;
    this.#growth = new ResizeObserver(() => {
      if (this.#follows) box.scrollTop = box.scrollHeight;
      this.#measure(box);
    });
    this.#growth.observe(box);
    this.#growth.observe(lines);
  }

  #measure({ scrollHeight, scrollTop, clientHeight }: Element): void {
    const isLong = this.#isWhole || scrollHeight > clientHeight + 1;
    const above = scrollTop > NEAR;
    const below = scrollHeight - scrollTop - clientHeight > NEAR;
    if (isLong === this.#isLong && above === this.#goesOnAbove && below === this.#goesOnBelow) return;
    this.#isLong = isLong;
    this.#goesOnAbove = above;
    this.#goesOnBelow = below;
    this.requestUpdate();
  }

  readonly #noticeScroll = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof Element)) return;
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    this.#follows = scrollHeight - scrollTop - clientHeight <= NEAR;
    this.#measure(currentTarget);
  };
}
define("vitrine-app-long-text", LongText);

function countLines(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
