import { html, type PropertyValues, type TemplateResult } from "lit";

import { drawMarkdown } from "../drawing/clean-html.js";
import { openLink } from "./link-dialog.js";
import { ViewElement } from "./view-element.js";

/** Markdown that a model or code wrote. */
export class MarkdownView extends ViewElement {
  static override properties = { text: {} };
  declare text: string;
  #drawn: DocumentFragment | undefined;

  constructor() {
    super();
    this.text = "";
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("text")) this.#drawn = drawMarkdown(this.text, openLink);
  }

  override render(): TemplateResult {
    return html`<div class="markdown">${this.#drawn}</div>`;
  }
}
customElements.define("vitrine-markdown", MarkdownView);
