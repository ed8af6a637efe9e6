import { html, nothing, type TemplateResult } from "lit";

import { formatBytes } from "../../state/text/format.js";
import type { SlotState, SlotView } from "../../state/task/program-view.js";
import { cutText } from "../../state/text/text-ends.js";
import { emit } from "../base/page-events.js";
import "../content/markdown-view.js";

const MARKS: Readonly<Record<SlotState, { readonly mark: string; readonly kind: string; readonly word: string }>> = {
  waiting: { mark: "·", kind: "running", word: "Waits" },
  "handed-in": { mark: "•", kind: "running", word: "Handed in, not looked at yet" },
  filled: { mark: "✓", kind: "done", word: "Filled" },
  refused: { mark: "×", kind: "failed", word: "Refused" },
  missing: { mark: "×", kind: "failed", word: "Missing" },
};

/** The slots of a contract and how each stands. */
export function contractSlots(slots: readonly Readonly<SlotView>[], label: string): TemplateResult | typeof nothing {
  if (slots.length === 0) return nothing;
  return html`<ul class="slots" aria-label=${label}>
    ${slots.map(slotItem)}
  </ul>`;
}

/** `2 of 3 slots filled`. */
export function slotCount(slots: readonly Readonly<SlotView>[]): string {
  const filled = slots.filter(({ state }) => state === "filled").length;
  return `${String(filled)} of ${String(slots.length)} slots filled`;
}

function slotItem(view: Readonly<SlotView>): TemplateResult {
  const { slot, state, draft, fault, gaps, warnings } = view;
  const { mark, kind, word } = MARKS[state];
  return html`<li class="slot ${state}">
    <div class="slot-line">
      <span class="mark ${kind}" aria-hidden="true">${mark}</span><code>${slot.id}</code>
      <span class="form">${slot.filename ?? slot.form}</span>
      <span class="state">${word}${draft && state !== "waiting" ? ", a draft" : ""}</span>
    </div>
    <div class="slot-notes">
      <p class="hint">${slot.description}${slot.filename === null ? "" : ` (${slot.form})`}</p>
      ${fault === null ? nothing : html`<p class="bad">${fault.error}${fault.description === "" ? "" : `: ${fault.description}`}</p>`}
      ${gaps === null ? nothing : html`<p class="hint">Missing in it: ${gaps}</p>`}
      ${warnings.map((warning) => html`<p class="hint">${warning}</p>`)} ${slotOutput(view)}
    </div>
  </li>`;
}

function slotOutput({ slot, output, isImported }: Readonly<SlotView>): TemplateResult | typeof nothing {
  if (output === null) return nothing;
  if (output.kind === "file") {
    const { path, size } = output;
    // What a file names is not to be taken for the user's own file of that name.
    if (isImported) return html`<span>${slot.filename ?? path}</span> <span class="hint">${formatBytes(size)}</span>`;
    return html`<button
        type="button"
        class="chip"
        title=${`/workspace/${path}`}
        @click=${({ currentTarget }: Event) => {
          if (currentTarget !== null) emit(currentTarget, "vitrine-open-file", path);
        }}
      >
        ${slot.filename ?? path}
      </button>
      <span class="hint">${formatBytes(size)}</span>`;
  }
  return html`<details>
    <summary>What was made</summary>
    ${
      slot.form === "markdown"
        ? html`<vitrine-app-markdown .text=${output.text}></vitrine-app-markdown>`
        : html`<pre class="plain" tabindex="0">${cutText(output.text)}</pre>`
    }
  </details>`;
}
