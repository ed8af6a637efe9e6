import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { styleMap } from "lit/directives/style-map.js";

import { visibleLine } from "../../drawing/visible.js";
import type { FileTreeState } from "../../state/files/file-tree-state.js";
import type { TreeRow } from "../../state/files/path-tree.js";
import { formatBytes, formatCount } from "../../state/text/format.js";
import type { Observable } from "../../state/text/observable.js";
import { ViewElement } from "../base/view-element.js";

/** Pixels of a row, as in files.css. */
const ROW = 30;

/** Pixels around the rows, above and below together. */
const EDGE = 8;

/** Rows that are drawn beyond the edges, so that scrolling finds them there. */
const BEYOND = 10;

/** Levels that are set in: more would leave a name no room. */
const DEEPEST = 12;

/** Milliseconds within which letters that are typed are one word. */
const TYPING = 700;

/** What a person asks of a row. */
export interface FileTreeEvents {
  /** `isKey`: with a key, and not by pointing at it. */
  readonly open: (path: string, how: { readonly isKey: boolean }) => void;
  readonly rename: (row: TreeRow) => void;
  readonly remove: (row: TreeRow) => void;
}

/**
 * The files of `/workspace` by their folders, by mouse and by the keys of a tree (ARIA Authoring Practices). Of thousands of
 * rows those are drawn that are in view.
 */
export class FileTree extends ViewElement {
  static override properties = {
    tree: { attribute: false },
    on: { attribute: false },
    shown: {},
    unsaved: { attribute: false },
  };
  declare tree: FileTreeState;
  declare on: FileTreeEvents;
  /** The path of the file that is shown beside the tree; empty where none is. */
  declare shown: string;
  /** Paths of files with changes that are not saved. */
  declare unsaved: ReadonlySet<string>;

  /** Pixels that are in view. */
  #from = 0;
  #height = 600;
  #typed = "";
  #typedAt = 0;
  #size: ResizeObserver | undefined;

  constructor() {
    super();
    this.shown = "";
    this.unsaved = new Set();
  }

  protected override sources(): readonly Observable[] {
    return [this.tree];
  }

  override render(): TemplateResult {
    const { rows, activeIndex } = this.tree;
    return html`<div class="tree-scroll" @scroll=${this.#noticeScroll}>
      <div
        role="tree"
        aria-label="Files in /workspace"
        style=${styleMap({ "block-size": `${String(rows.length * ROW)}px` })}
        @keydown=${this.#key}
      >
        ${repeat(
          this.#inView(rows.length, activeIndex),
          (index) => rows[index]?.path,
          (index) => this.#row(rows[index], { index, isActive: index === activeIndex }),
        )}
      </div>
    </div>`;
  }

  /** What is drawn: a window, and the row that has the focus, or will have it, wherever that is. */
  #inView(count: number, active: number): readonly number[] {
    const first = Math.max(0, Math.floor(this.#from / ROW) - BEYOND);
    const last = Math.min(count, Math.ceil((this.#from + this.#height) / ROW) + BEYOND);
    const window = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
    if (active < 0 || (active >= first && active < last)) return window;
    return active < first ? [active, ...window] : [...window, active];
  }

  #row(
    row: TreeRow | undefined,
    { index, isActive }: { readonly index: number; readonly isActive: boolean },
  ): TemplateResult | typeof nothing {
    if (row === undefined) return nothing;
    const { path, name, level, position, siblings, file, isOpen } = row;
    return html`<div
      role="treeitem"
      class="tree-row"
      aria-level=${level}
      aria-posinset=${position}
      aria-setsize=${siblings}
      aria-expanded=${file === null ? isOpen : nothing}
      aria-selected=${isActive}
      aria-current=${path === this.shown ? "true" : nothing}
      tabindex=${isActive ? 0 : -1}
      style=${styleMap({
        "inset-block-start": `${String(index * ROW)}px`,
        "--level": String(Math.min(level, DEEPEST) - 1),
      })}
      title=${visibleLine(path)}
      @click=${() => {
        this.#click(row);
      }}
      @focus=${() => {
        if (this.tree.active?.path !== path) this.tree.activate(path);
      }}
    >
      <span class="tree-fold" aria-hidden="true">${file === null ? (isOpen ? "▾" : "▸") : nothing}</span>
      <span class="tree-file">${visibleLine(name)}</span>
      ${this.#marks(row)}
    </div>`;
  }

  #marks({ path, file, count }: TreeRow): TemplateResult {
    if (file === null) return html`<small>${formatCount(count, "file")}</small>`;
    const { trust, size } = file;
    return html`${this.unsaved.has(path) ? html`<small class="mark unsaved">unsaved</small>` : nothing}
      ${trust === undefined ? nothing : html`<small class="mark"><span class="visually-hidden">written </span>by code</small>`}
      <small>${formatBytes(size)}</small>`;
  }

  override firstUpdated(): void {
    this.#observe();
  }

  override updated(): void {
    // The keys go where the tree says they are, as after a file that was made or renamed.
    if (this.querySelector(':focus[tabindex="-1"]') !== null) void this.focusActive();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#observe();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size?.disconnect();
  }

  protected override refocus(): boolean {
    if (this.tree.activeIndex < 0) return false;
    void this.focusActive();
    return true;
  }

  /** Scrolls to the active row and gives it the focus. */
  async focusActive(): Promise<void> {
    this.#scrollToActive();
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus({ preventScroll: true });
  }

  #observe(): void {
    const box = this.querySelector(".tree-scroll");
    if (box === null) return;
    this.#size = new ResizeObserver(() => {
      this.#height = box.clientHeight;
      this.#from = box.scrollTop;
      this.requestUpdate();
    });
    this.#size.observe(box);
  }

  readonly #noticeScroll = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof Element)) return;
    this.#from = currentTarget.scrollTop;
    this.requestUpdate();
  };

  #scrollToActive(): void {
    const box = this.querySelector(".tree-scroll");
    const top = this.tree.activeIndex * ROW;
    if (box === null || top < 0) return;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW + EDGE > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + EDGE - box.clientHeight;
    this.#from = box.scrollTop;
  }

  #click(row: TreeRow): void {
    this.tree.activate(row.path);
    this.#enter(row, { isKey: false });
  }

  #enter({ path, file, isOpen }: TreeRow, how: { readonly isKey: boolean }): void {
    if (file === null) this.tree.setOpen(path, !isOpen);
    else this.on.open(path, how);
  }

  readonly #key = (event: KeyboardEvent): void => {
    const { active } = this.tree;
    if (active === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const outcome = this.#act(event.key, active);
    if (outcome === "nothing") return;
    event.preventDefault();
    if (outcome === "moved") void this.focusActive();
  };

  /** @returns whether the key means nothing here, something, or something after which the active row has the focus. */
  #act(key: string, row: TreeRow): "nothing" | "done" | "moved" {
    const { tree } = this;
    const at = tree.activeIndex;
    const last = tree.rows.length - 1;
    const page = Math.max(1, Math.floor(this.#height / ROW) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: last,
    };
    const next = moves[key];
    if (next !== undefined) {
      this.#moveTo(Math.min(last, Math.max(0, next)));
      return "moved";
    }
    switch (key) {
      case "Enter":
      case " ":
        this.#enter(row, { isKey: true });
        return row.file === null ? "moved" : "done";
      case "ArrowRight":
        if (row.file === null && !row.isOpen) tree.setOpen(row.path, true);
        else if (row.file === null) this.#moveTo(at + 1);
        return "moved";
      case "ArrowLeft":
        if (row.isOpen) tree.setOpen(row.path, false);
        else this.#moveTo(tree.rows.findLastIndex(({ level }, index) => index < at && level < row.level));
        return "moved";
      case "F2":
        this.on.rename(row);
        return "done";
      case "Delete":
        this.on.remove(row);
        return "done";
      case "*":
        tree.openBeside(row);
        return "moved";
      default:
        return this.#type(key, at);
    }
  }

  #moveTo(index: number): void {
    const row = this.tree.rows[index];
    if (row !== undefined) this.tree.activate(row.path);
  }

  /** To the next row whose name begins with what is typed. */
  #type(key: string, at: number): "nothing" | "moved" {
    if (key.length !== 1) return "nothing";
    const now = performance.now();
    this.#typed = (now - this.#typedAt < TYPING ? this.#typed : "") + key.toLowerCase();
    this.#typedAt = now;
    const { rows } = this.tree;
    // A word that grows may still be where it is; one letter goes on to the next.
    const from = at + (this.#typed.length === 1 ? 1 : 0);
    const isIt = ({ name }: TreeRow): boolean => name.toLowerCase().startsWith(this.#typed);
    const later = rows.findIndex((row, index) => index >= from && isIt(row));
    this.#moveTo(later >= 0 ? later : rows.findIndex(isIt));
    return "moved";
  }
}
customElements.define("vitrine-app-file-tree", FileTree);
