import { html, nothing, type TemplateResult } from "lit";

import type { SkillTrial } from "../../../agent/index.js";
import type { PendingApproval } from "../../state/questions/approvals.js";
import { learningText, type SkillLearning } from "../../state/task/skill-learning.js";
import { formatElapsed } from "../../state/text/format.js";
import { cutText } from "../../state/text/text-ends.js";
import "../questions/approval-card.js";
import "../base/elapsed-time.js";
import "../content/source-difference.js";
import { ViewElement } from "../base/view-element.js";

/** What comes of the question whether a task's work is worth a skill: below its answer. */
export class LearnedSkillCard extends ViewElement {
  static override properties = {
    learning: { attribute: false },
    live: { type: Boolean },
    replayed: { type: Boolean },
    stop: { attribute: false },
    approval: { attribute: false },
  };
  declare learning: SkillLearning | undefined;
  /** The task still runs. */
  declare live: boolean;
  /** Its events come as they were saved; nothing happens. */
  declare replayed: boolean;
  /** Ends the task; undefined where only what is above it can. */
  declare stop: (() => void) | undefined;
  /** The question whether it may be saved. */
  declare approval: PendingApproval | undefined;

  constructor() {
    super();
    this.live = false;
    this.replayed = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { learning } = this;
    if (learning === undefined) return nothing;
    const { outcome } = learning;
    return html`<section class="learned-skill card" aria-label="A skill of this task">
      <p class="learning-state" tabindex="-1">${learningText(learning)} ${this.#going(learning)}</p>
      ${outcome?.kind === "none" ? html`<p class="hint">${outcome.reason}</p>` : nothing}
      ${this.approval === undefined ? html`${this.#problems(learning)} ${this.#proposal(learning)} ${this.#replies(learning)}` : nothing}
      ${this.approval === undefined ? nothing : html`<vitrine-app-approval .pending=${this.approval}></vitrine-app-approval>`}
    </section>`;
  }

  protected override refocus(gone: Element): boolean {
    if (gone.closest("vitrine-app-approval") === null) return false;
    this.querySelector<HTMLElement>(".learning-state")?.focus({ preventScroll: true });
    return true;
  }

  #going({ outcome, startedAt }: SkillLearning): TemplateResult | typeof nothing {
    if (outcome !== null) return nothing;
    if (!this.live) return html`<span class="hint">It was left there.</span>`;
    if (this.approval !== undefined) return html`<span class="hint">waiting for you</span>`;
    return html`<span class="hint"
        >${this.replayed ? "replayed" : html`<vitrine-app-elapsed .since=${startedAt}></vitrine-app-elapsed>`}</span
      >
      ${this.stop === undefined ? nothing : html`<button type="button" class="quiet-link" @click=${this.stop}>Stop</button>`}`;
  }

  /** What keeps the last proposal from being saved, whether it could be read or not. */
  #problems({ problems, outcome }: SkillLearning): TemplateResult | typeof nothing {
    const wrong = outcome?.kind === "rejected" ? outcome.problems : problems;
    if (wrong.length === 0) return nothing;
    return html`<ul class="problems">
      ${wrong.map((problem) => html`<li><pre tabindex="0">${cutText(problem)}</pre></li>`)}
    </ul>`;
  }

  #replies({ replies }: SkillLearning): TemplateResult | typeof nothing {
    if (replies.length === 0) return nothing;
    return html`<details>
      <summary>What the model said of it</summary>
      ${replies.map((reply) => html`<pre class="plain" tabindex="0">${cutText(reply)}</pre>`)}
    </details>`;
  }

  #proposal({ proposal, trial }: SkillLearning): TemplateResult | typeof nothing {
    if (proposal === null) return nothing;
    return html`<details>
      <summary>${proposal.replaces === null ? "The skill" : "What it changes"}, and how it was tried</summary>
      ${proposal.reason === "" ? nothing : html`<p class="hint">${proposal.reason}</p>`}
      <vitrine-app-source-difference
        .replaced=${proposal.replaces}
        .source=${proposal.source}
      ></vitrine-app-source-difference>
      <ul class="plain-list hint">
        ${trialText(trial).map((text) => html`<li>${text}</li>`)}
      </ul>
    </details>`;
  }
}
customElements.define("vitrine-app-learned-skill", LearnedSkillCard);

/** How a trial went, call by call. */
function trialText(trial: SkillTrial | null): readonly string[] {
  if (trial === null) return ["It did not come to a trial."];
  const { calls, value, error, elapsed, printed } = trial;
  return [
    ...calls.map(({ name, arguments: args, outcome, reason }) => {
      const call = `${name} with ${args}`;
      if (outcome === "returned") return `${call}: answered as in the task.`;
      return outcome === "raised"
        ? `${call}: failed as in the task, ${reason ?? ""}`
        : `${call}: refused. ${reason ?? ""}`;
    }),
    ...(printed === "" ? [] : [`Printed: ${printed}`]),
    error === null
      ? `Returned ${value ?? "None"} after ${formatElapsed(elapsed)}.`
      : `Failed with ${error.type}: ${error.message}`,
  ];
}
