import { html, nothing, type TemplateResult } from "lit";

import { argumentText } from "../../drawing/argument-text.js";
import { visibleLine } from "../../drawing/visible.js";

/** Characters of a server's text that are drawn at first, and of a line that needs no box of its own. */
const LONGEST = 10_000;
const LONGEST_LINE = 300;

/** A server's text with all of it to be seen, in a box of its own height. */
export function serverText(
  text: string,
  isAllAsked: boolean,
): { readonly drawn: TemplateResult; readonly isWhole: boolean } {
  const { text: shown, isWhole } = argumentText(text, isAllAsked ? Infinity : LONGEST);
  return { drawn: html`<pre tabindex="0">${shown}</pre>`, isWhole };
}

/** The same where a line is expected, as of a label: what is longer is in a box, too, and whole. */
export function serverLine(text: string): TemplateResult | string {
  const line = visibleLine(text);
  return line.length <= LONGEST_LINE ? line : html`<span class="asked-long" tabindex="0">${line}</span>`;
}

/** Where not all is shown yet. Nobody agrees to what they could not see. */
export function showAll(isPartial: boolean, show: () => void): TemplateResult | typeof nothing {
  if (!isPartial) return nothing;
  return html`<p>Not all of it is shown. <button type="button" class="btn" @click=${show}>Show all of it</button></p>`;
}

/** How to say no for good. */
export function declineAllLabel(verb: "Deny" | "Decline", place: "task" | "console"): string {
  return place === "task" ? `${verb} for this task` : `${verb} for this run`;
}
