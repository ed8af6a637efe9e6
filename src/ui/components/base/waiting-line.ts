import { html, nothing, type TemplateResult } from "lit";

import { phaseText, type SessionPhase } from "../../state/session/demo-session.js";
import type { TaskView } from "../../state/task/task-view.js";

/** What a task waits for before its agent starts; while that is Python, how far its loading has come. */
export function waitingLine(
  { waitsFor }: TaskView,
  { phase, stop }: { readonly phase: SessionPhase; readonly stop: () => void },
): TemplateResult | typeof nothing {
  if (waitsFor === "") return nothing;
  return html`<div class="hint waits">
    <p>
      ${waitsFor} ${phase.kind === "opening" ? html`<b>${phaseText(phase)}</b>` : nothing}
      <button type="button" class="quiet-link" @click=${stop}>Stop</button>
    </p>
    ${phase.kind === "opening" ? loadingBar(phase, "What the task waits for") : nothing}
  </div>`;
}

/** How much of Python has been loaded, without an end where that is not known. */
export function loadingBar({ progress }: Extract<SessionPhase, { kind: "opening" }>, label: string): TemplateResult {
  const { loaded = 0, total } = progress ?? {};
  return html`<progress
    aria-label=${label}
    max=${total ?? 1}
    value=${total === undefined ? nothing : loaded}
  ></progress>`;
}
