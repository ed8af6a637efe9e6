import { html, nothing, type TemplateResult } from "lit";

import { shortenUnits } from "../../../protocol/index.js";
import { formatCount } from "../../state/text/format.js";
import { define, ViewElement } from "../base/view-element.js";

/** Items of one list or object that are drawn at once. */
const MAX_ITEMS = 100;

/** A JSON value as a tree whose branches open on click. */
export class JsonTree extends ViewElement {
  static override properties = { value: { attribute: false }, open: { type: Number } };
  declare value: unknown;
  /** Levels that are open at first. */
  declare open: number;
  readonly #opened = new Map<string, number>();
  readonly #isOpen = new Map<string, boolean>();

  constructor() {
    super();
    this.open = 2;
  }

  override render(): TemplateResult {
    return html`<div class="tree" dir="ltr">${this.#node(this.value, { path: "", depth: 0 })}</div>`;
  }

  #node(value: unknown, { path, depth, name }: { path: string; depth: number; name?: string }): TemplateResult {
    const label = name === undefined ? nothing : html`<span class="tree-name">${name}</span>: `;
    if (typeof value !== "object" || value === null) return html`<div class="leaf">${label}${scalar(value)}</div>`;
    const isList = Array.isArray(value);
    const count = isList ? value.length : Object.keys(value).length;
    const size = formatCount(count, isList ? "item" : "key");
    const open = this.#isOpen.get(path) ?? depth < this.open;
    return html`<details
      ?open=${open}
      @toggle=${(event: Event) => {
        this.#toggle(event, path);
      }}
    >
      <summary>${label}<span class="hint">${isList ? `[${size}]` : `{${size}}`}</span></summary>
      ${open ? this.#branch(value, { path, depth, count }) : nothing}
    </details>`;
  }

  #branch(
    value: object,
    { path, depth, count }: { readonly path: string; readonly depth: number; readonly count: number },
  ): TemplateResult {
    const limit = this.#opened.get(path) ?? MAX_ITEMS;
    return html`<div class="branch">
      ${firstEntries(value, limit).map(([name, item]) => this.#node(item, { path: `${path}/${name}`, depth: depth + 1, name }))}
      ${
        count > limit
          ? html`<button
              type="button"
              class="quiet-link"
              @click=${() => {
                this.#opened.set(path, limit + MAX_ITEMS);
                this.requestUpdate();
              }}
            >
              ${(count - limit).toLocaleString("en-US")} more
            </button>`
          : nothing
      }
    </div>`;
  }

  #toggle({ target }: Event, path: string): void {
    if (!(target instanceof HTMLDetailsElement) || this.#isOpen.get(path) === target.open) return;
    this.#isOpen.set(path, target.open);
    this.requestUpdate();
  }
}
define("vitrine-app-json-tree", JsonTree);

/** Not all of them, which may be millions. */
function firstEntries(value: object, limit: number): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, limit).map((item: unknown, index) => [String(index), item]);
  return Object.keys(value)
    .slice(0, limit)
    .map((name) => [name, Reflect.get(value, name)]);
}

function scalar(value: unknown): TemplateResult {
  if (typeof value === "string") {
    return html`<span class="tok-str">${JSON.stringify(shortenUnits(value, 2000))}</span>`;
  }
  if (typeof value === "number" || typeof value === "bigint")
    return html`<span class="tok-num">${String(value)}</span>`;
  return html`<span class="tok-key">${String(value)}</span>`;
}
