import { html, type TemplateResult } from "lit";

import { lineDifference, type DifferenceLine } from "../../skills/index.js";
import { visibleText } from "../drawing/visible.js";
import { formatCount } from "../state/format.js";

/** Equal lines that are shown around what differs. */
const CONTEXT = 3;

/**
 * A source beside the one that it replaces, line by line. Characters that nobody sees, and those that turn the reading
 * order around, are written out: what a person agrees to is what they read.
 *
 * @param before - null where there was none.
 */
export function sourceDifference(before: string | null, after: string): TemplateResult {
  const lines = lineDifference(before ?? "", after);
  return html`<pre class="difference" tabindex="0">
${pieces(lines).map((piece) => ("skipped" in piece ? gap(piece.skipped) : line(piece)))}</pre>`;
}

/** `A new skill.` or what it does to the one that is there. */
export function differenceText(before: string | null, after: string): string {
  const lines = lineDifference(before ?? "", after);
  const count = (kind: DifferenceLine["kind"]): number => lines.filter((one) => one.kind === kind).length;
  if (before === null) return `A new skill of ${formatCount(count("added"), "line")}.`;
  return `It changes the skill that is there: ${formatCount(count("added"), "line")} added, ${formatCount(count("removed"), "line")} removed.`;
}

function pieces(lines: readonly DifferenceLine[]): (DifferenceLine | { readonly skipped: number })[] {
  const shown: (DifferenceLine | { readonly skipped: number })[] = [];
  let skipped = 0;
  lines.forEach((one, index) => {
    const around = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1);
    if (around.every(({ kind }) => kind === "same")) {
      skipped += 1;
      return;
    }
    if (skipped > 0) shown.push({ skipped });
    skipped = 0;
    shown.push(one);
  });
  if (skipped > 0) shown.push({ skipped });
  return shown;
}

/** The whole line stands in one binding: blanks of a template are nobody's to keep. */
function line({ kind, text }: DifferenceLine): TemplateResult {
  const shown = visibleText(text);
  switch (kind) {
    case "added":
      return html`<ins>${`+ ${shown}\n`}</ins>`;
    case "removed":
      return html`<del>${`- ${shown}\n`}</del>`;
    case "same":
      return html`<span>${`  ${shown}\n`}</span>`;
  }
}

function gap(skipped: number): TemplateResult {
  return html`<span class="hint">${`  … ${formatCount(skipped, "equal line")}\n`}</span>`;
}
