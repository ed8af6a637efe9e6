import { html, nothing, type TemplateResult } from "lit";

import type { ApprovalRequest } from "../../../dispatch/index.js";
import { firstOtherLetter, unambiguousName, visibleLine } from "../../drawing/visible.js";

/** Hosts that are named. */
const MOST_HOSTS = 5;

/** Characters of a name that are written out; code makes names as long as it likes. */
const LONGEST_NAME = 200;

/**
 * Letters of other scripts may look like those of a name that the reader knows.
 *
 * @param whose - how the sentence calls it.
 */
export function nameNote(name: string, whose = "its name"): TemplateResult | typeof nothing {
  const first = firstOtherLetter(name);
  if (first < 0) return nothing;
  // A part of a name without end is written out: this is drawn whenever something beside it is.
  const start = Math.max(0, first - LONGEST_NAME / 2);
  const end = start + LONGEST_NAME;
  const written = `${start > 0 ? "…" : ""}${unambiguousName(name.slice(start, end)) ?? ""}${end < name.length ? "…" : ""}`;
  return html`<p class="hint">Not all letters of ${whose} are plain: <code>${written}</code></p>`;
}

export function shortList(hosts: readonly string[]): string {
  const shown = hosts.slice(0, MOST_HOSTS).join(", ");
  const more = hosts.length - MOST_HOSTS;
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}

/** The agents that work as tools, those above first: `researcher → reader`; empty where none does. */
export function agentNames(path: ApprovalRequest["path"]): string {
  return path
    .filter(({ callId }) => callId !== null)
    .map(({ name }) => visibleLine(name))
    .join(" → ");
}
