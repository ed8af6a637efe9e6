import { html, nothing, type TemplateResult } from "lit";

import type { TaskResumed } from "../../../agent/index.js";
import type { JournalEntry } from "../../../dispatch/index.js";
import { formatCount } from "../../state/text/format.js";
import { cutText } from "../../state/text/text-ends.js";
import "./call-line.js";

/** Names that are shown. */
const MOST_NAMES = 40;

/**
 * Where a task was taken up: what is known of the step that did not end, and what is gone with its interpreter; of a task
 * from a file also the words in which the model is told, since a file may hold any.
 */
export function resumption(
  { interrupted, gone, unknown, model, told }: TaskResumed,
  { isImported }: { readonly isImported: boolean },
): TemplateResult {
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
      gone.length + unknown.length === 0
        ? html`<p class="hint">No name that an ended step made is gone.</p>`
        : [names("Python started anew. Gone:", gone), names("It is not known whether these are still there:", unknown)]
    }
    ${
      !isImported || told === null
        ? nothing
        : html`<details class="reasoning told">
            <summary>What the model was told</summary>
            <pre class="plain" tabindex="0">${cutText(told)}</pre>
          </details>`
    }
  </div>`;
}

function names(heading: string, all: readonly string[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const more = all.length > MOST_NAMES ? ` and ${String(all.length - MOST_NAMES)} more` : "";
  return html`<p>${heading} <code>${all.slice(0, MOST_NAMES).join(", ")}</code>${more}</p>`;
}

function calls(heading: string, entries: readonly JournalEntry[]): TemplateResult | typeof nothing {
  if (entries.length === 0) return nothing;
  return html`<p>${heading}:</p>
    <div class="calls">${entries.map((entry) => html`<vitrine-app-call .entry=${entry}></vitrine-app-call>`)}</div>`;
}
