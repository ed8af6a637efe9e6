import type { CellEditor } from "../cell-runtime.js";
import { button, h } from "../shared/dom.js";

import { AfterCard } from "./after-card.js";
import { isUnseenCode, preOf, type CellMarkup } from "./cell-markup.js";
import { warmWithPress } from "./press.js";
import { cellStyles } from "./styles.js";

/** Properties of the author's `<pre>` that the editor in its place takes over. */
const EDITOR_METRICS = [
  ["--cell-font", "font-family"],
  ["--cell-font-size", "font-size"],
  ["--cell-line-height", "line-height"],
] as const;
const METRICS = [
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "line-height",
  "letter-spacing",
  "tab-size",
  "color",
] as const;

const BOX = [
  "margin-top",
  "margin-right",
  "margin-bottom",
  "margin-left",
  "border-top-left-radius",
  "border-top-right-radius",
  "border-bottom-left-radius",
  "border-bottom-right-radius",
] as const;

/** The shadow tree of a cell: what its author wrote, in slots, and the buttons over it. */
export class CellChrome {
  /** Null until the cell has something to say below the code. */
  card: AfterCard | null = null;
  readonly run = button("run", "Run");
  readonly #copy = button("copy", "Copy");
  readonly #edit = button("edit", "Edit");
  readonly #lead = h("slot");
  readonly #code = h("slot", { class: "code" });
  readonly #own = h("pre", { class: "own" });
  readonly #editor = h("div", { class: "editor", part: "editor" });
  readonly #authored = h("slot");
  readonly #rest = h("slot");
  readonly #corner = h("div", { class: "corner", part: "buttons" }, this.#copy, this.#edit, this.run);
  readonly #group = h("div", { part: "cell", role: "group" });
  #markup: CellMarkup | null = null;

  constructor(readonly root: ShadowRoot) {
    root.adoptedStyleSheets = [cellStyles()];
    this.run.className = "main";
    this.#editor.hidden = true;
    this.#group.append(this.#lead, this.#code, this.#editor, this.#corner, this.#authored, this.#rest);
    root.append(this.#group);
    warmWithPress(root);
    root.addEventListener("focusin", () => {
      if (this.isEditing) this.matchEditor();
    });
  }

  /** Shows what the author wrote, each in its place. `code` is the text, for code that no browser shows by itself. */
  assign(markup: CellMarkup, code: string): void {
    this.#markup = markup;
    const isUnseen = markup.code !== null && isUnseenCode(markup.code);
    this.#lead.assign(...markup.lead);
    if (isUnseen || markup.code === null) this.#code.assign();
    else this.#code.assign(markup.code);
    this.#authored.assign(...markup.outputs);
    this.#rest.assign(...markup.rest);
    if (!isUnseen) {
      this.#own.remove();
      return;
    }
    this.#own.textContent = code;
    if (!this.#own.isConnected) this.#code.after(this.#own);
  }

  label(text: string): void {
    this.#group.setAttribute("aria-label", text);
  }

  set isEditable(editable: boolean) {
    this.#edit.hidden = !editable || this.isEditing;
    this.#code.classList.toggle("editable", editable);
    this.#own.classList.toggle("editable", editable);
  }

  /** One button for both, so that the focus stays where it is. */
  showButton(kind: "run" | "stop" | "stopping" | "blocked"): void {
    const isRun = kind === "run" || kind === "blocked";
    const isDead = kind === "stopping" || kind === "blocked";
    this.run.textContent = { run: "Run", stop: "Stop", stopping: "Stopping", blocked: "Run" }[kind];
    this.run.setAttribute("part", isRun ? "run" : "stop");
    this.run.dataset.do = isRun ? "run" : "stop";
    this.run.classList.toggle("main", isRun);
    this.run.setAttribute("aria-disabled", String(isDead));
    if (kind === "blocked") this.run.setAttribute("aria-describedby", "problems");
    else this.run.removeAttribute("aria-describedby");
  }

  /** For a moment, in the button's own place: there may be no bar yet. */
  sayCopied(isCopied: boolean): void {
    this.#copy.setAttribute("aria-live", "polite");
    this.#copy.textContent = isCopied ? "Copied" : "Not allowed here";
    setTimeout(() => (this.#copy.textContent = "Copy"), 2000);
  }

  /** Whether a click there is one into the code, and not on a link in it or after marking a part of it. */
  isInCode(event: Event): boolean {
    const path = event.composedPath();
    const isLink = path.some((each) => each instanceof HTMLAnchorElement || each instanceof HTMLButtonElement);
    const isCode = path.includes(this.#code) || path.includes(this.#own);
    return isCode && !isLink && (getSelection()?.isCollapsed ?? true);
  }

  /** @param withBar - false for a cell that only has to say why it does not run. */
  openCard(withBar: boolean): AfterCard {
    if (this.card === null) {
      this.card = new AfterCard();
      this.#rest.before(this.card.element);
    }
    if (withBar) this.card.openBar(this.#copy);
    this.fit();
    return this.card;
  }

  /** @param problems - sentences on what keeps the cell from running; none where it may. */
  showProblems(problems: readonly string[]): void {
    const card = problems.length > 0 ? this.openCard(false) : this.card;
    card?.showProblems(problems);
    this.showButton(problems.length > 0 ? "blocked" : "run");
    if (card?.isEmpty !== true) return;
    card.element.remove();
    this.card = null;
  }

  /** What the author says that the code comes to: in its place, below what a run came to, or not at all. */
  showAuthored(place: "here" | "below" | "nowhere"): void {
    const before = this.#cardTop();
    this.#authored.hidden = place === "nowhere";
    if (place === "below") this.card?.showExpected(this.#authored);
    else {
      this.card?.showExpected(null);
      if (this.#authored.parentNode !== this.#group) this.#corner.after(this.#authored);
    }
    this.fit();
    // A reader is somewhere below by now: a result that fits into the room of the author's moves nothing there.
    if (place !== "nowhere") this.card?.keepRoom(0);
    else if (before > this.#cardTop()) this.card?.keepRoom(before - this.#cardTop());
  }

  #cardTop(): number {
    return this.card?.element.getBoundingClientRect().top ?? 0;
  }

  get isEditing(): boolean {
    return !this.#editor.hidden;
  }

  placeEditor(editor: CellEditor): void {
    this.matchEditor();
    this.#editor.replaceChildren(editor.element);
    this.#editor.hidden = false;
    this.#edit.hidden = true;
    this.#code.hidden = true;
    this.#own.hidden = true;
    this.fit();
  }

  removeEditor(): void {
    this.#editor.hidden = true;
    this.#editor.replaceChildren();
    this.#code.hidden = false;
    this.#own.hidden = false;
    this.fit();
  }

  /** The editor's text stands where the code stood and looks like it, also once the page has gone dark. */
  matchEditor(): void {
    const pre = preOf(this.#markup?.code ?? null) ?? this.#own;
    const of = getComputedStyle(pre);
    const ofText = getComputedStyle(pre.querySelector("code") ?? pre);
    const { style } = this.#editor;
    for (const name of METRICS) style.setProperty(name, ofText.getPropertyValue(name));
    for (const [property, name] of EDITOR_METRICS) style.setProperty(property, ofText.getPropertyValue(name));
    for (const name of BOX) style.setProperty(name, of.getPropertyValue(name));
    style.setProperty("background-color", backgroundOf(pre));
    const paddings = ["top", "right", "bottom", "left"].map((side) => {
      return `${paddingOf(of, side) + (ofText === of ? 0 : paddingOf(ofText, side))}px`;
    });
    // Of the editor and not of the box around it: what shows the focus goes around both code and padding.
    style.setProperty("--cell-padding", paddings.join(" "));
    if (!this.isEditing) style.setProperty("min-height", `${pre.getBoundingClientRect().height}px`);
  }

  /** The buttons lie over the code: below what is above it, and below a margin that does not collapse. */
  placeCorner(host: Element): void {
    // After all that came near with it are drawn: measuring between them would lay out the page for each.
    queueMicrotask(() => {
      const shown = this.isEditing ? this.#editor : (preOf(this.#markup?.code ?? null) ?? this.#own);
      const top = shown.getBoundingClientRect().top - host.getBoundingClientRect().top;
      if (top > 0) this.#corner.style.setProperty("--_top", `${top}px`);
    });
  }

  fit(): void {
    this.card?.fitBelow(() => Math.max(...this.#above().map((each) => each.getBoundingClientRect().bottom)));
  }

  #above(): Element[] {
    const slots = [this.#lead, this.#code, this.#authored];
    const shown = slots.filter((slot) => !slot.hidden && slot.parentNode === this.#group);
    const authors = shown.flatMap((slot) => slot.assignedElements());
    const own = [this.#own, this.#editor].filter((each) => each.isConnected && !each.hidden);
    return [...authors, ...own].filter((each) => each.getClientRects().length > 0);
  }
}

function paddingOf(style: CSSStyleDeclaration, side: string): number {
  const lengths = [`border-${side}-width`, `padding-${side}`].map((name) => style.getPropertyValue(name));
  return lengths.reduce((sum, length) => sum + (Number.parseFloat(length) || 0), 0);
}

/** Of the `<pre>`, or of what a highlighter put around it or into it. */
function backgroundOf(pre: HTMLPreElement): string {
  const places = [pre, pre.querySelector("code"), pre.parentElement];
  const colours = places.map((place) => (place === null ? "" : getComputedStyle(place).backgroundColor));
  return colours.find((colour) => colour !== "" && !/^(?:transparent|rgba\(.*, 0\))$/.test(colour)) ?? "transparent";
}
