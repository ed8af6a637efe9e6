import { html, nothing, type TemplateResult } from "lit";

import type { TaskResumed } from "../../agent/index.js";
import type { JournalEntry } from "../../dispatch/index.js";
import { formatCount } from "../state/format.js";
import "./call-line.js";

/** Names that are shown. */
const MOST_NAMES = 40;

/** Where a task was taken up: what is known of the step that did not end, and what is gone with its interpreter. */
export function resumption({ interrupted, gone, model }: TaskResumed): TemplateResult {
  return html`<div class="resumption" role="group" aria-label="The task was taken up here">
    <p><b>Taken up here</b>, with the model ${model.name}. The model is told the same.</p>
    ${
      interrupted === null
        ? html`<p class="hint">No step was under way.</p>`
        : html`<p class="hint">Step ${interrupted.step} did not end. It is not run again; what it did stays.</p>
            ${calls(`${formatCount(interrupted.finished.length, "call")} of it finished`, interrupted.finished)}
            ${calls(
              `${formatCount(interrupted.unknown.length, "call")} of it may have taken effect: the outcome is unknown`,
              interrupted.unknown,
            )}`
    }
    ${
      gone.length === 0
        ? html`<p class="hint">No name that an ended step made is gone.</p>`
        : html`<p>
            Python started anew. Gone: <code>${gone.slice(0, MOST_NAMES).join(", ")}</code>${
              gone.length > MOST_NAMES ? ` and ${String(gone.length - MOST_NAMES)} more` : ""
            }
          </p>`
    }
  </div>`;
}

function calls(heading: string, entries: readonly JournalEntry[]): TemplateResult | typeof nothing {
  if (entries.length === 0) return nothing;
  return html`<p>${heading}:</p>
    <div class="calls">${entries.map((entry) => html`<vitrine-call .entry=${entry}></vitrine-call>`)}</div>`;
}
