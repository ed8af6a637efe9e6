import { differenceHunks, lineDifference, type DifferenceLine } from "../../../difference/index.js";
import { visibleText } from "../../drawing/visible.js";
import { formatCount } from "../../state/text/format.js";
import { BlockView, type TextBlock } from "../base/block-view.js";

/** Lines of a block, and about as many characters. */
const MOST_LINES = 50;
const MOST_CHARACTERS = 8000;

/**
 * A text beside the one that it replaces, line by line. Characters that cannot be seen, and those that turn the
 * reading order around, are written out: what a person agrees to is what they read.
 */
export class SourceDifference extends BlockView {
  static override properties = { replaced: { attribute: false }, source: { attribute: false } };
  /** Null where there was none. */
  declare replaced: string | null;
  declare source: string;

  protected override readonly boxClass = "difference";

  protected override *blocks(): Iterable<TextBlock> {
    const lines = lineDifference(this.replaced ?? "", this.source);
    let end = 0;
    for (const { from, to } of differenceHunks(lines)) {
      if (from > end) yield gap(from - end);
      yield* blocksOf(lines.slice(from, to));
      end = to;
    }
    if (end < lines.length) yield gap(lines.length - end);
  }
}
customElements.define("vitrine-app-source-difference", SourceDifference);

/** `A new skill.` or what it does to the one that is there. */
export function differenceText(before: string | null, after: string): string {
  const lines = lineDifference(before ?? "", after);
  const count = (kind: DifferenceLine["kind"]): number => lines.filter((one) => one.kind === kind).length;
  if (before === null) return `A new skill of ${formatCount(count("added"), "line")}.`;
  return `It changes the skill that is there: ${formatCount(count("added"), "line")} added, ${formatCount(count("removed"), "line")} removed.`;
}

function* blocksOf(lines: readonly DifferenceLine[]): Iterable<TextBlock> {
  let parts: Node[] = [];
  let characters = 0;
  for (const line of lines) {
    parts.push(lineNode(line));
    characters += line.text.length;
    if (parts.length < MOST_LINES && characters < MOST_CHARACTERS) continue;
    yield { parts, lines: parts.length };
    parts = [];
    characters = 0;
  }
  if (parts.length > 0) yield { parts, lines: parts.length };
}

const ELEMENTS = { added: ["ins", "+ "], removed: ["del", "- "], same: ["span", "  "] } as const;

function lineNode({ kind, text }: DifferenceLine): HTMLElement {
  const [name, mark] = ELEMENTS[kind];
  return withText(document.createElement(name), `${mark}${visibleText(text)}\n`);
}

function gap(skipped: number): TextBlock {
  const words = document.createElement("span");
  words.className = "hint";
  return { parts: [withText(words, `  … ${formatCount(skipped, "equal line")}\n`)], lines: 1 };
}

function withText(element: HTMLElement, text: string): HTMLElement {
  element.textContent = text;
  return element;
}
