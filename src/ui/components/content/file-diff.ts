import { html, nothing, type PropertyValues, type TemplateResult } from "lit";

import { DrawingPace } from "../../drawing/drawing-pace.js";
import { visibleLine, visibleText } from "../../drawing/visible.js";
import {
  changeOf,
  fileDifference,
  type DiffFile,
  type DiffHunk,
  type FileDifference,
  type NumberedLine,
} from "../../state/text/file-difference.js";
import { formatCount } from "../../state/text/format.js";
import { ViewElement } from "../base/view-element.js";

/** Lines that are shown, and that a click brings. */
const STEP = 1000;

/** Lines of a block, which the browser lays out as one, and about as many characters. */
const BLOCK = 40;
const BLOCK_CHARACTERS = 8000;

/** Characters of one line that are shown. */
const LONGEST_LINE = 2000;

const CHANGES = { added: "added", deleted: "deleted", changed: "" } as const;

const MARKS = { added: ["+", "added"], removed: ["−", "removed"], same: ["", ""] } as const;

/** What is different in one file. Its lines are drawn while it is open, in blocks, a few in a frame. */
export class FileDiff extends ViewElement {
  static override properties = { file: { attribute: false }, isOpen: { attribute: false } };
  declare file: DiffFile;
  declare isOpen: boolean;
  #difference: FileDifference | undefined;
  #wanted = STEP;
  readonly #pace = new DrawingPace();
  #drawing: Promise<void> = Promise.resolve();
  /** Counts what is drawn, so that one drawing ends where the next begins. */
  #turn = 0;

  constructor() {
    super();
    this.isOpen = true;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("file")) return;
    this.#difference = fileDifference(this.file);
    this.#wanted = STEP;
  }

  override render(): TemplateResult {
    const difference = this.#difference;
    const change = CHANGES[changeOf(this.file)];
    return html`<details class="file-diff" ?open=${this.isOpen} @toggle=${this.#toggle}>
      <summary>
        <span class="file-diff-path">${visibleLine(this.file.path)}</span>
        ${change === "" ? nothing : html`<span class="mark">${change}</span>`}
        ${
          difference?.kind === "lines"
            ? html`<span class="file-diff-counts">
                <span class="plus">+${difference.added}<span class="visually-hidden"> lines added,</span></span>
                <span class="minus">−${difference.removed}<span class="visually-hidden"> lines removed</span></span>
              </span>`
            : nothing
        }
      </summary>
      ${this.isOpen ? this.#body(difference) : nothing}
    </details>`;
  }

  #body(difference: FileDifference | undefined): TemplateResult | typeof nothing {
    if (difference === undefined) return nothing;
    if (difference.kind === "words") return html`<p class="hint">${difference.words}</p>`;
    const count = difference.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    return html`<div
        class="diff-lines"
        role="table"
        aria-label=${`What is different in ${visibleLine(this.file.path)}`}
      >
        <div role="rowgroup" class="visually-hidden">
          <div role="row">
            <span role="columnheader">Line before</span>
            <span role="columnheader">Line after</span>
            <span role="columnheader">Change</span>
            <span role="columnheader">Text</span>
          </div>
        </div>
      </div>
      ${
        count > this.#wanted
          ? html`<p class="hint rest">
              ${this.#wanted.toLocaleString("en-US")} of ${formatCount(count, "line")}.
              <button type="button" class="quiet-link" @click=${this.#more}>
                Show ${Math.min(STEP, count - this.#wanted).toLocaleString("en-US")} more
              </button>
            </p>`
          : nothing
      }
      ${difference.note === "" ? nothing : html`<p class="hint">${difference.note}</p>`}`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has("file") || changed.has("isOpen")) this.#drawing = this.#draw({ from: 0 });
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await this.#drawing;
    return isComplete;
  }

  readonly #toggle = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLDetailsElement) this.isOpen = currentTarget.open;
  };

  readonly #more = (): void => {
    const from = this.#wanted;
    this.#wanted += STEP;
    this.requestUpdate();
    this.#drawing = this.#draw({ from });
  };

  async #draw({ from }: { readonly from: number }): Promise<void> {
    const turn = ++this.#turn;
    const table = this.querySelector<HTMLElement>(".diff-lines");
    const difference = this.#difference;
    if (table === null || difference?.kind !== "lines") return;
    if (from === 0) for (const block of [...table.querySelectorAll(".block")]) block.remove();
    const last = difference.hunks.at(-1)?.lines.at(-1);
    const digits = String(Math.max(last?.before ?? 0, last?.after ?? 0, 10)).length;
    table.style.setProperty("--digits", String(digits));
    table.ariaBusy = "true";
    const blocks = blocksOf(difference.hunks, { from, to: this.#wanted });
    while (turn === this.#turn) {
      for (let left = this.#pace.begin(); left > 0; left--) {
        const { value, done } = blocks.next();
        if (done === true) {
          table.ariaBusy = "false";
          return;
        }
        table.append(value);
      }
      await this.#pace.rest();
    }
  }
}
customElements.define("vitrine-app-file-diff", FileDiff);

/** The lines in a range of them all, made block by block. A hunk begins a block. */
function* blocksOf(
  hunks: readonly DiffHunk[],
  { from, to }: { readonly from: number; readonly to: number },
): Generator<HTMLElement, undefined> {
  let number = 0;
  for (const { range, skipped, lines } of hunks) {
    const start = Math.max(0, from - number);
    const end = Math.min(lines.length, to - number);
    number += lines.length;
    let rows: HTMLElement[] = start === 0 && end > 0 ? [rangeRow(range, skipped)] : [];
    let characters = 0;
    for (let index = start; index < end; index++) {
      const line = lines[index];
      if (line === undefined) break;
      rows.push(lineRow(line));
      characters += line.text.length;
      if (rows.length < BLOCK && characters < BLOCK_CHARACTERS) continue;
      yield blockOf(rows);
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) yield blockOf(rows);
  }
}

function blockOf(rows: readonly HTMLElement[]): HTMLElement {
  const block = elementOf("div", { role: "rowgroup", className: "block" });
  block.style.setProperty("--lines", String(rows.length));
  block.append(...rows);
  return block;
}

function rangeRow(range: string, skipped: number): HTMLElement {
  const row = elementOf("div", { role: "row", className: "diff-range" });
  const equal = skipped === 0 ? "" : ` ${formatCount(skipped, "equal line")}`;
  const cell = elementOf("span", { role: "cell", text: `${range}${equal}` });
  cell.ariaColSpan = "4";
  row.append(cell);
  return row;
}

function lineRow({ kind, text, before, after }: NumberedLine): HTMLElement {
  const row = elementOf("div", { role: "row", className: `diff-line ${kind}` });
  const [sign, words] = MARKS[kind];
  const mark = elementOf("span", { role: "cell", className: "diff-mark", text: sign });
  // A sign is read out as what it means.
  if (words !== "") mark.ariaLabel = words;
  const cut = text.length > LONGEST_LINE;
  const shown = visibleText(cut ? text.slice(0, LONGEST_LINE) : text);
  const rest = cut ? ` … ${formatCount(text.length - LONGEST_LINE, "more character")}` : "";
  row.append(
    elementOf("span", { role: "cell", className: "diff-number", text: before === null ? "" : String(before) }),
    elementOf("span", { role: "cell", className: "diff-number", text: after === null ? "" : String(after) }),
    mark,
    elementOf("span", { role: "cell", className: "diff-text", text: shown + rest }),
  );
  return row;
}

function elementOf(
  name: "div" | "span",
  { role, className = "", text = "" }: { readonly role: string; readonly className?: string; readonly text?: string },
): HTMLElement {
  const element = document.createElement(name);
  element.role = role;
  if (className !== "") element.className = className;
  if (text !== "") element.textContent = text;
  return element;
}
