import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { changeOf, type DiffFile } from "../../state/text/file-difference.js";
import { formatCount } from "../../state/text/format.js";
import { ListPart } from "../base/list-part.js";
import { ViewElement } from "../base/view-element.js";
import "./file-diff.js";

/** Files whose lines are shown without being asked for. */
const OPEN = 20;

/** What is different in files, as `diff -u` shows it: one after the other, a few in a frame. */
export class DiffView extends ViewElement {
  static override properties = { files: { attribute: false } };
  /** In the order in which they are shown. Another array is drawn as another difference. */
  declare files: readonly DiffFile[];
  readonly #part = new ListPart<DiffFile>(this, { step: 50, focusable: "vitrine-app-file-diff summary" });

  constructor() {
    super();
    this.files = [];
  }

  override render(): TemplateResult {
    const { files } = this;
    if (files.length === 0) return html`<p class="hint">No file is different.</p>`;
    const drawn = this.#part.of(files);
    return html`<div class="diff">
      ${files.length === 1 ? "" : html`<p class="hint">${sumOf(files)}</p>`}
      ${repeat(
        drawn,
        ({ path }) => path,
        (file, index) => html`<vitrine-app-file-diff .file=${file} .isOpen=${index < OPEN}></vitrine-app-file-diff>`,
      )}
      ${this.#part.rest(files, "file")}
    </div>`;
  }
}
customElements.define("vitrine-app-diff", DiffView);

/** `3 files: 1 added, 2 changed.` */
function sumOf(files: readonly DiffFile[]): string {
  const parts = (["added", "changed", "deleted"] as const).flatMap((change) => {
    const count = files.filter((file) => changeOf(file) === change).length;
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${change}`];
  });
  return `${formatCount(files.length, "file")}: ${parts.join(", ")}.`;
}

declare global {
  interface HTMLElementTagNameMap {
    "vitrine-app-diff": DiffView;
  }
}
