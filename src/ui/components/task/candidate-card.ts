import { html, nothing, type TemplateResult } from "lit";

import { highlightedPython } from "../../drawing/highlight.js";
import { visibleLine, visibleText } from "../../drawing/visible.js";
import type { CandidateView } from "../../state/task/candidate-view.js";
import { formatCount, formatElapsed } from "../../state/text/format.js";
import "../base/whole-text.js";

const ROLES: Readonly<Record<CandidateView["role"], string>> = {
  candidate: "",
  fallback: "fallback",
  repair: "asked again",
  merge: "merges",
};

const MARKS: Readonly<Record<CandidateView["state"], { readonly mark: string; readonly kind: string }>> = {
  writing: { mark: "·", kind: "running" },
  written: { mark: "✓", kind: "done" },
  failed: { mark: "×", kind: "failed" },
  left: { mark: "?", kind: "unknown" },
};

export interface CandidateOptions {
  readonly isChosen: boolean;
  readonly isPython: boolean;
  /** Draws it again, once what it shows was changed. */
  readonly redraw: () => void;
}

/** What one model writes of a file: the end of it while it comes, then its beginning, and all of it when it is asked for. */
export function candidateCard(
  candidate: CandidateView,
  { isChosen, isPython, redraw }: CandidateOptions,
): TemplateResult {
  const { model, role, state, failure, notices, again } = candidate;
  const { mark, kind } = MARKS[state];
  return html`<li class="candidate ${isChosen ? "chosen" : ""}">
    <p class="candidate-head">
      <span class="mark ${kind}" aria-hidden="true">${mark}</span><b>${visibleLine(model)}</b>
      ${ROLES[role] === "" ? nothing : html`<span class="tag">${ROLES[role]}</span>`}
      ${isChosen ? html`<span class="tag good">chosen</span>` : nothing}
      <span class="hint">${factsOf(candidate)}</span>
    </p>
    ${notices.map((notice) => html`<p class="hint">${notice}</p>`)}
    ${again === "" ? nothing : html`<p class="hint">${again}</p>`}
    ${failure === null ? nothing : html`<p class="bad">${visibleText(failure.message)}</p>`}
    ${state === "failed" || (state === "left" && candidate.text === "") ? nothing : textOf(candidate, { isPython, redraw })}
  </li>`;
}

/** `writes, 24 lines`, `24 lines in 1.2 s`. */
function factsOf({ state, lines, elapsed }: CandidateView): string {
  const time = elapsed === null ? "" : formatElapsed(elapsed);
  switch (state) {
    case "writing":
      return lines === 0 ? "is asked" : `writes, ${formatCount(lines, "line")}`;
    case "written":
      return `${formatCount(lines, "line")}${time === "" ? "" : ` in ${time}`}`;
    case "failed":
      return `failed${time === "" ? "" : ` after ${time}`}`;
    case "left":
      return "stopped";
  }
}

function textOf(candidate: CandidateView, { isPython, redraw }: Omit<CandidateOptions, "isChosen">): TemplateResult {
  const { state, text, head, isWhole } = candidate;
  if (state !== "written") return html`<pre class="code small tail"><span>${visibleText(candidate.tail)}</span></pre>`;
  const isLong = head.length < text.trimEnd().length;
  return html`${
    isWhole
      ? html`<vitrine-app-whole-text class="candidate-text" .value=${text}></vitrine-app-whole-text>`
      : isPython
        ? html`<pre class="code small head" tabindex="0" ${highlightedPython(head)}></pre>`
        : html`<pre class="code small head" tabindex="0">${visibleText(head)}</pre>`
  }
  ${
    isLong
      ? html`<button
          type="button"
          class="quiet-link"
          @click=${() => {
            candidate.isWhole = !isWhole;
            redraw();
          }}
        >
          ${isWhole ? "Show the beginning" : `Show all ${formatCount(candidate.lines, "line")}`}<span
            class="visually-hidden"
          >
            of ${visibleLine(candidate.model)}</span
          >
        </button>`
      : nothing
  }`;
}
