import { html, nothing, type TemplateResult } from "lit";

import { cutText } from "../../state/text/text-ends.js";
import type { AskedQuestion } from "../../state/task/step-view.js";
import { emit } from "../base/page-events.js";
import { ViewElement } from "../base/view-element.js";

/** Characters of a question that are drawn. */
const LONGEST = 20_000;

/** What the code of a step asks the user: where the answer is written, later what it was. */
export class QuestionCard extends ViewElement {
  static override properties = {
    asked: { attribute: false },
    waits: { type: Boolean },
    over: { type: Boolean },
    refuse: { attribute: false },
  };
  declare asked: AskedQuestion | undefined;
  /** It can be answered. */
  declare waits: boolean;
  /** It cannot be answered any more. */
  declare over: boolean;
  /** Notes that the user does not answer. */
  declare refuse: () => void;

  constructor() {
    super();
    this.waits = false;
    this.over = false;
    this.refuse = () => undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { asked } = this;
    if (asked === undefined) return nothing;
    const text = asked.question === "" ? "for a line" : cutText(asked.question, LONGEST);
    if (this.waits) return this.#form(asked.id, text);
    return html`<p class="asked-person" tabindex="-1">
      <span class="caption">The code asked:</span> ${text} <span class="caption">${this.#standing(asked)}</span>
      ${asked.answer ?? nothing}
    </p>`;
  }

  #standing({ answer }: AskedQuestion): string {
    if (answer !== null) return "You answered:";
    return this.over ? "It was not answered." : "It waited for an answer.";
  }

  #form(id: string, text: string): TemplateResult {
    return html`<form
      @submit=${(event: Event) => {
        event.preventDefault();
        emit(this, "vitrine-answer", { id, text: this.querySelector("input")?.value ?? "" });
      }}
    >
      <div class="approval question" role="group" aria-label="Question of the code">
        <label class="field"
          ><span>The code asks: <b>${text}</b></span
          ><input type="text" autocomplete="off"
        /></label>
        <div class="row">
          <span class="hint">The run and its clock wait for you.</span>
          <button
            type="button"
            class="btn"
            @click=${() => {
              this.refuse();
              emit(this, "vitrine-answer", { id, text: null });
            }}
          >
            No answer
          </button>
          <button type="submit" class="btn primary">Answer</button>
        </div>
      </div>
    </form>`;
  }

  protected override refocus(): boolean {
    this.querySelector("p")?.focus({ preventScroll: true });
    return true;
  }
}
customElements.define("vitrine-app-question", QuestionCard);
