import { html, nothing, type TemplateResult } from "lit";

import type { ApprovalRequest } from "../../dispatch/index.js";
import { unambiguousName, visibleLine } from "../drawing/visible.js";

/** Hosts that are named. */
const MOST_HOSTS = 5;

/** Letters of other scripts may look like those of a name that the reader knows. */
export function nameNote(name: string): TemplateResult | typeof nothing {
  const written = unambiguousName(name);
  return written === undefined
    ? nothing
    : html`<p class="hint">Not all letters of its name are plain: <code>${written}</code></p>`;
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
