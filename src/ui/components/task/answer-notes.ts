import { html, nothing, type TemplateResult } from "lit";

import type { AgentAnswer, TaskSignal } from "../../../agent/index.js";
import { formatCount, SIGNAL_NAMES } from "../../state/text/format.js";

/** How the code says that it made sure: its word, and no more. */
export function verification(answer: AgentAnswer | null): TemplateResult | typeof nothing {
  const verifiedBy = answer?.verifiedBy ?? null;
  if (verifiedBy === null) return nothing;
  return html`<p class="hint"><span class="caption">Checked by the agent:</span> ${verifiedBy}</p>`;
}

/** Signals of a summary that are drawn, the first ones. */
const MOST_SIGNALS = 200;

/** What the code said of its work, folded. */
export function signalSummary(signals: readonly TaskSignal[]): TemplateResult | typeof nothing {
  if (signals.length === 0) return nothing;
  const more = signals.length - MOST_SIGNALS;
  return html`<details class="signals">
    <summary>${formatCount(signals.length, "signal")} on the way</summary>
    <ul class="plain-list">
      ${signals.slice(0, MOST_SIGNALS).map(({ step, type, message }) => html`<li>Step ${step}, <span class="caption">${SIGNAL_NAMES[type]}:</span> ${message}</li>`)}
      ${more > 0 ? html`<li class="hint">${formatCount(more, "more signal")} not shown</li>` : nothing}
    </ul>
  </details>`;
}
