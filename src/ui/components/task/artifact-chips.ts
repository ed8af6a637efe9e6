import { html, nothing, type TemplateResult } from "lit";

import { formatCount } from "../../state/text/format.js";
import type { TaskView } from "../../state/task/task-view.js";
import { emit } from "../base/page-events.js";

/** Artifacts that can be opened from here; the shelf has all. */
const MOST_CHIPS = 50;

/** What a task saved, to be opened. */
export function artifactChips({
  artifacts,
  isImported,
}: Pick<TaskView, "artifacts" | "isImported">): TemplateResult | typeof nothing {
  if (artifacts.length === 0) return nothing;
  // What a file names is not to be taken for the user's own artifact of that name.
  const more = artifacts.length - MOST_CHIPS;
  const others = more > 0 ? ` and ${formatCount(more, "other")}` : "";
  if (isImported) return html`<p class="hint">It saved ${artifacts.slice(0, MOST_CHIPS).join(", ")}${others}.</p>`;
  return html`<div class="row">
    ${artifacts.slice(0, MOST_CHIPS).map(
      (name) =>
        html`<button
          type="button"
          class="chip"
          @click=${({ currentTarget }: Event) => {
            if (currentTarget !== null) emit(currentTarget, "vitrine-open-artifact", name);
          }}
        >
          ${name}
        </button>`,
    )}
    ${more > 0 ? html`<span class="hint">${others}, which the shelf has</span>` : nothing}
  </div>`;
}
