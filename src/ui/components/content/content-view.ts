import { html, nothing, type TemplateResult } from "lit";
import { until } from "lit/directives/until.js";

import { highlightedPython } from "../../drawing/highlight.js";
import { pictureAddress } from "../../drawing/picture-address.js";
import { cutText, MOST_DRAWN } from "../../state/text/text-ends.js";
import type { ContentForm } from "../../state/text/content-form.js";
import { formatBytes } from "../../state/text/format.js";
import "./data-table.js";
import "./json-tree.js";
import "./markdown-view.js";
import "./sealed-view.js";
import { ViewElement } from "../base/view-element.js";

/** Characters of text that are shown in a card, fewer where it has many lines. */
const CARD_TEXT = 600;

/** An artifact or a file, drawn as what it is. */
export class ContentView extends ViewElement {
  static override properties = {
    form: { attribute: false },
    label: {},
    full: { type: Boolean },
    source: { type: Boolean },
  };
  declare form: ContentForm | undefined;
  /** Its name, for those who do not see it. */
  declare label: string;
  /** All of it, instead of a look at it. */
  declare full: boolean;
  /** The text itself instead of what it draws. */
  declare source: boolean;

  constructor() {
    super();
    this.label = "";
    this.full = false;
    this.source = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { form } = this;
    if (form === undefined) return nothing;
    if (this.source && "text" in form) return this.#text(form.text);
    switch (form.kind) {
      case "svg":
        return html`<vitrine-app-sealed-view
          kind="svg"
          .content=${form.text}
          .label=${this.label}
        ></vitrine-app-sealed-view>`;
      case "html":
        return html`<vitrine-app-sealed-view
          kind="html"
          class=${this.full ? "fill" : ""}
          ?tall=${this.full}
          .content=${form.text}
          .label=${this.label}
        ></vitrine-app-sealed-view>`;
      case "markdown":
        return html`<div class=${this.full ? "" : "clip"} ?inert=${!this.full}>
          <vitrine-app-markdown .text=${this.full ? form.text : form.text.slice(0, 4000)}></vitrine-app-markdown>
        </div>`;
      case "image":
        return html`<img
          class="picture"
          alt=${this.label}
          src=${until(pictureAddress(form.mime, form.bytes), nothing)}
        />`;
      case "table":
        return html`<vitrine-app-data-table
          .table=${form.table}
          .limit=${this.full ? 200 : 5}
          .label=${this.label}
        ></vitrine-app-data-table>`;
      case "json":
        return html`<vitrine-app-json-tree .value=${form.value} .open=${this.full ? 2 : 1}></vitrine-app-json-tree>`;
      case "python":
        return html`<pre class="code" tabindex="0" ${highlightedPython(this.#cut(form.text))}></pre>`;
      case "text":
        return this.#text(form.text);
      case "binary":
        return html`<p class="hint">
          Not a kind that is shown here (${formatBytes(form.size)}). Download it to open it.
        </p>`;
    }
  }

  #text(text: string): TemplateResult {
    return html`<pre class="plain" tabindex="0">${this.#cut(text)}</pre>`;
  }

  #cut(text: string): string {
    return cutText(text, this.full ? MOST_DRAWN : CARD_TEXT);
  }
}
customElements.define("vitrine-app-content-view", ContentView);

/** Whether there is a text behind the picture that can be shown instead. */
export function hasSource(form: ContentForm): boolean {
  return "text" in form && form.kind !== "text" && form.kind !== "python";
}
