import { html, nothing, type TemplateResult } from "lit";

import type { TaskView } from "../state/task-view.js";
import { emit } from "./page-events.js";

/** What a task saved, to be opened. */
export function artifactChips({
  artifacts,
  isImported,
}: Pick<TaskView, "artifacts" | "isImported">): TemplateResult | typeof nothing {
  if (artifacts.length === 0) return nothing;
  // What a file names is not to be taken for the user's own artifact of that name.
  if (isImported) return html`<p class="hint">It saved ${artifacts.join(", ")}.</p>`;
  return html`<div class="row">
    ${artifacts.map(
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
  </div>`;
}
