import { html, nothing, type TemplateResult } from "lit";

import { argumentText } from "../drawing/argument-text.js";
import { visibleLine } from "../drawing/visible.js";

/** Characters of a server's text that are drawn at first, and of what stands in one line at most. */
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

/** The same as one line, of which the end may be left out. */
export function serverLine(text: string): string {
  return text.length <= LONGEST_LINE ? visibleLine(text) : `${visibleLine(text.slice(0, LONGEST_LINE))} …`;
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
