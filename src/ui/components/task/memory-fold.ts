import { html, nothing, type TemplateResult } from "lit";

import type { MemoryReport } from "../../../protocol/index.js";
import { formatCount } from "../../state/text/format.js";

/** The working memory of the agent, folded. */
export function memoryFold(memory: MemoryReport | null): TemplateResult | typeof nothing {
  if (memory === null) return nothing;
  const { values, observations, failedApproaches } = memory;
  const counts = [
    values.length === 0 ? "" : formatCount(values.length, "value"),
    observations.length === 0 ? "" : formatCount(observations.length, "observation"),
    failedApproaches.length === 0 ? "" : formatCount(failedApproaches.length, "failed attempt"),
  ].filter((text) => text !== "");
  if (counts.length === 0) return nothing;
  return html`<details class="memory">
    <summary>The agent's notes: ${counts.join(", ")}</summary>
    ${section(
      "Values",
      values.map(({ name, shown }) => html`<code>${name}</code> = <code>${shown}</code>`),
    )}
    ${section("Found out", observations)} ${section("Tried without success", failedApproaches)}
  </details>`;
}

function section(heading: string, items: readonly (TemplateResult | string)[]): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing;
  return html`<p class="caption">${heading}</p>
    <ul class="plain-list">
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>`;
}
